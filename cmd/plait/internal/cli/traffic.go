package cli

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/recording"
)

// trafficFlags say what happens to the traffic with vendors of models.
type trafficFlags struct{ record, replay string }

func (f *trafficFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.record, "record", "", "folder to keep the traffic with vendors of models in, without secrets")
	cmd.Flags().StringVar(&f.replay, "replay", "", "folder of such a recording that answers in the place of the vendors")
}

// traffic is a recording that is made or given back, or neither.
type traffic struct {
	between  provider.Between
	recorder *recording.Recorder
	player   *recording.Player
}

func (f *trafficFlags) traffic() (t traffic, err error) {
	switch {
	case f.record != "" && f.replay != "":
		return t, errors.New("--record and --replay don't go together: give one of them")
	case f.record != "":
		if t.recorder, err = recording.NewRecorder(f.record); err == nil {
			t.between = t.recorder.Between
		}
	case f.replay != "":
		if t.player, err = recording.NewPlayer(f.replay); err == nil {
			t.between = t.player.Between
		}
	}
	return t, err
}

// tell says what couldn't be kept, and what of a recording nobody asked for.
func (t traffic) tell(streams Streams) {
	if t.recorder != nil {
		if err := t.recorder.Err(); err != nil {
			streams.sayf("plait: --record: %v", err)
		}
	}
	if t.player != nil {
		if left := t.player.Left(); len(left) > 0 {
			streams.sayf("plait: --replay: nothing asked for the answers %s", strings.Join(left, ", "))
		}
	}
}
