package workflow

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/plait-dev/plait/pkg/journal"
)

// NewParallelWorker makes a node that runs body once for each element of its input, which must be a list, and gives the
// list of their outputs, in the order of the input. No more than maxConcurrency items execute at once; 0 is no bound.
//
// cfg.Retry is that of each item, and without one the body's own counts; cfg.Timeout bounds the whole list, the timeout of the body one attempt of an item. When
// an item has failed for good no others start, those behind it are cancelled, and those before it are awaited: the
// worker fails with the failure of the first in the list. What items write to the state counts when the item ends.
func NewParallelWorker(name string, body Node, maxConcurrency int, cfg NodeConfig) Node {
	n := newNode(name, kindWorker, nil, cfg)
	n.maxConcurrency = maxConcurrency
	if isNil(body) {
		return n
	}
	n.item = body.definition()
	if cfg.Retry != nil {
		item := *n.item
		item.cfg.Retry = cfg.Retry
		n.item = &item
	}
	return n
}

// items are the elements that a worker works on.
type items struct {
	in             *instance
	inputs         []any
	outputs        []any
	maxConcurrency int
	// activations are those of the items, by index; nil before they are triggered and when they are over.
	activations []*activation
	next        int // the index of the item to be triggered next

	// ending is set when an item failed: nothing begins any more. first is the failure with the lowest index so far.
	ending *ending
	lowest int
	first  *NodeError
}

var errItemFailed = errors.New("another item of the list failed")

// openList makes the items of a worker, none of which begins yet.
func (in *instance) openList() error {
	inputs, ok := in.owner.input.([]any)
	if !ok {
		return Terminal(Errorf(CodeInputSchema, "a worker wants a list, not %s", describe(in.owner.input)))
	}
	in.items = &items{in: in, inputs: inputs, outputs: make([]any, len(inputs)),
		activations: make([]*activation, len(inputs)), maxConcurrency: in.owner.def.maxConcurrency}
	return nil
}

// fill triggers as many items as may be under way.
func (l *items) fill() {
	for l.ending == nil && l.in.stopping() == nil && l.next < len(l.inputs) && (l.maxConcurrency <= 0 || l.in.live < l.maxConcurrency) {
		a := l.activation(l.next)
		l.next++
		a.input, a.trigger = l.inputs[a.node], l.in.run.nextTrigger()
		l.in.count(a.node, 1)
		l.in.run.ready.add(a)
	}
}

// activation makes the activation of an item, by its index. Items work side by side: each has a branch of its own.
func (l *items) activation(index int) *activation {
	owner := l.in.owner
	a := l.in.run.activations.take()
	a.in, a.node, a.def, a.n, a.recorded, a.branch = l.in, index, owner.def.item, index+1, true, owner.innerBranch()
	a.path = l.in.run.paths.of(l.in.prefix, "", a.n)
	if len(l.inputs) > 1 {
		a.branch = itemBranch(owner, a)
	}
	a.scope = l.in.run.newScope(l.in.ctx)
	l.activations[index] = a
	return a
}

// itemBranch is the branch of an item, which at the root of a run reads like its path.
func itemBranch(owner, item *activation) string {
	around := owner.innerBranch()
	if around == "" && owner.in.outer == nil && owner.attempt == 1 {
		return item.path
	}
	branch := owner.def.name + "@" + strconv.Itoa(owner.n) + "/" + strconv.Itoa(item.n)
	return joinBranch(around, branch)
}

// done takes the output of an item.
func (l *items) done(a *activation, res Result) {
	l.outputs[a.node] = res.Output
	l.over(a)
}

// over notes that nothing more comes of an item.
func (l *items) over(a *activation) {
	l.activations[a.node] = nil
	a.scope.close()
	l.fill()
}

// failed notes that an item has failed for good. Those behind it are given up.
func (l *items) failed(a *activation, e *NodeError) {
	if l.first == nil || a.node < l.lowest {
		l.lowest, l.first = a.node, e
	}
	if l.ending == nil {
		l.ending = &ending{status: journal.Failed, cause: errItemFailed}
	}
	l.over(a)
	l.giveUpRest()
}

// giveUpRest ends the items that nothing more is wanted of.
func (l *items) giveUpRest() {
	for _, other := range l.activations {
		if other != nil && l.givenUp(other) {
			l.in.run.giveUp(other)
		}
	}
}

// givenUp says that nothing more is wanted of an item: it comes after one that failed, or hasn't started.
func (l *items) givenUp(a *activation) bool {
	return l.ending != nil && (a.node > l.lowest || a.status == queued)
}

// failure is that of the first item in the list that failed, nil for none.
func (l *items) failure() error {
	if l.first == nil {
		return nil
	}
	return &ItemError{Index: l.lowest, Err: l.first}
}

// giveUp ends an item that nothing more is wanted of.
func (r *run) giveUp(a *activation) {
	switch {
	case a.status == queued:
		a.become(canceled)
		r.unqueue(a)
		r.leftOver(a)
	case a.status == waiting, a.status == backoff:
		if a.stopPause != nil {
			a.stopPause()
		}
		r.unqueue(a)
		r.canceled(a, errItemFailed)
	case a.inner != nil && !a.executes:
		r.endInner(a.inner, &ending{status: journal.Failed, cause: errItemFailed})
	case !a.executes: // its start isn't written yet, or its process died
		if slices.Contains(r.launch, a) {
			a.in.leave(a)
		}
		r.launch = without(r.launch, a)
		r.pure.drop(func(b *activation) bool { return a == b })
		r.canceled(a, errItemFailed)
	default:
		a.scope.giveUp(errItemFailed)
	}
}

func without(list []*activation, a *activation) []*activation {
	return slices.DeleteFunc(list, func(b *activation) bool { return a == b })
}

// ItemError is the failure of an item of a parallel worker.
type ItemError struct {
	// Index is that of the element in the list, from 0.
	Index int
	Err   *NodeError
}

// Error names the item by its index.
func (e *ItemError) Error() string { return fmt.Sprintf("item %d: %s", e.Index, e.Err.Message) }

// ErrorCode is that of the item's failure.
func (e *ItemError) ErrorCode() Code { return e.Err.Code }

// Unwrap returns the item's failure.
func (e *ItemError) Unwrap() error { return e.Err }
