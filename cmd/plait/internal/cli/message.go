package cli

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/declarative/source"
	"github.com/plait-dev/plait/pkg/journal"
)

// message is what the flags say, with the ids of the run and of a new session, which are shown before anything happens.
func (f *runFlags) message(streams Streams) (run.Message, error) {
	if f.session != "" {
		if err := checkSession(f.session); err != nil {
			return run.Message{}, err
		}
	}
	text := f.input
	if text == "-" {
		data, err := readInput(streams.In, "-")
		if err != nil {
			return run.Message{}, err
		}
		text = strings.TrimSuffix(string(data), "\n")
	}
	if len(text) > source.MaxBytes {
		return run.Message{}, fmt.Errorf("--input: the message is larger than %d bytes", source.MaxBytes)
	}
	if err := checkText("--input: the message", text); err != nil {
		return run.Message{}, err
	}
	m := run.Message{
		Session:   cmp.Or(f.session, "s_"+rand.Text()),
		Run:       "r_" + rand.Text(),
		Text:      text,
		Principal: "local",
		User:      f.user,
	}
	if f.node == "" {
		return m, nil
	}
	return f.nodeMessage(m)
}

// nodeMessage makes of the text the input of a node.
func (f *runFlags) nodeMessage(m run.Message) (run.Message, error) {
	input, err := journal.DecodeValue([]byte(m.Text))
	if err != nil {
		return m, fmt.Errorf("--input %s: %w; with --node it is JSON, and text stands in quotes: --input '\"text\"'", m.Text, err)
	}
	m.Input = journal.Some(input)
	if text, ok := input.(string); ok {
		m.Text = text
	}
	if f.state == "" {
		return m, nil
	}
	state, err := journal.DecodeValue([]byte(f.state))
	if err != nil {
		return m, fmt.Errorf("--state %s: %w", f.state, err)
	}
	var ok bool
	if m.State, ok = state.(map[string]any); !ok {
		return m, fmt.Errorf("--state %s: a JSON object is needed, such as --state '{\"key\": \"value\"}'", f.state)
	}
	return m, nil
}

// check says which flags don't go together.
func (f *runFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case given("state") && !given("node"):
		return errors.New("--state belongs to --node: a document begins with an empty state")
	case given("node") && f.node == "":
		return errors.New("--node is empty: name a node by ID, OUTER/INNER or AGENT/ID")
	case given("node") && given("filename"):
		return errors.New("--node and -f don't go together: name the document or its run file")
	}
	return onlyOne(cmd, "state", "session")
}
