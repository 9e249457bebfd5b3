package agentkit

import (
	"context"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// listen shows the messages that were put into the run. It reports whether there were any; a run that is ending goes on
// then.
func (r *run) listen(ctx context.Context, ending bool) (bool, error) {
	msgs, err := r.hear(ctx, ending)
	if err != nil || len(msgs) == 0 {
		return false, err
	}
	r.show(msgs...)
	r.told = r.told && !ending // the answer that was corrected is given
	return true, nil
}

// hear takes the messages that were put into the run and commits them.
func (r *run) hear(ctx context.Context, ending bool) ([]core.Message, error) {
	var took []*Delivery
	if ctx.Err() == nil { // else the next turn, if there is one, fails by itself
		took = r.in.Control.take(ending)
	}
	if len(took) == 0 {
		return nil, nil
	}
	msgs := make([]core.Message, len(took))
	recs := make([]journal.Record, len(took))
	for i, d := range took {
		msgs[i] = core.UserMessage(d.text)
		msgs[i].Path, msgs[i].Branch = r.in.Path, r.in.Branch
		recs[i] = msgs[i]
	}
	err := r.commit(ctx, recs)
	for _, d := range took {
		d.settle(err)
	}
	return msgs, err
}
