package ollama

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// decoder reads one answer.
type decoder struct {
	line line
	ids  provider.CallIDs
}

// Event takes one line of a stream.
func (d *decoder) Event(_, data []byte, out *provider.Out) error {
	l := &d.line
	if err := l.read(data); err != nil {
		return err
	}
	if l.failed {
		if err := provider.AnswerError(0, data); err != nil {
			return err
		}
	}
	out.Thinking(l.think)
	out.Text(l.text)
	for _, c := range l.calls {
		if err := d.call(c, out); err != nil {
			return err
		}
	}
	if l.done {
		d.end(out)
	}
	return nil
}

// Whole takes an answer in one piece, which looks like a line that says everything.
func (d *decoder) Whole(data []byte, out *provider.Out) error { return d.Event(nil, data, out) }

// End does nothing: the last line of every answer says that it is the last.
func (d *decoder) End(*provider.Out) {}

// call hands over a call.
func (d *decoder) call(c call, out *provider.Out) error {
	if c.name == "" {
		return errors.New("a tool call has no name")
	}
	n, id := d.ids.Next(c.id)
	out.Send(core.Delta{Kind: core.CallStart, Index: n, ID: id, Name: c.name})
	out.Args(n, cmp.Or(string(c.args), "{}"))
	return nil
}

// end ends the answer. Old servers, and those that imitate one, give no reason.
func (d *decoder) end(out *provider.Out) {
	stop := core.StopEnd
	switch d.line.reason {
	case "stop", "":
	case "length":
		stop = core.StopMaxTokens
	default:
		out.Warn(fmt.Sprintf("the answer ended for a reason that isn't known, %q; it is taken for complete", d.line.reason))
	}
	if stop == core.StopEnd && d.ids.Len() > 0 {
		stop = core.StopToolUse
	}
	out.Done(stop, core.Usage{Input: d.line.input, Output: d.line.output})
}
