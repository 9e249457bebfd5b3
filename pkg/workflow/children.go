package workflow

import (
	"maps"
	"strconv"

	"github.com/plait-dev/plait/pkg/journal"
)

// children are what one attempt of a dynamic node has scheduled.
type children struct {
	in          *instance
	view        *values // the state that the body sees: as it was at its start, and what its children wrote
	counts      map[string]int
	ids         map[string]bool
	total       int
	activations []*activation // nil when they are over
	requests    []*childRequest
	wrote       []delta
	outstanding int // requests without an answer
	output      journal.Optional

	replay   *replay // nil when there is nothing to replay
	broken   error   // the replay went wrong
	returned *returnedBody
}

// returnedBody is what a body returned while children of it executed.
type returnedBody struct {
	res Result
	err error
}

func newChildren(in *instance) *children {
	return &children{in: in, counts: map[string]int{}, ids: map[string]bool{}}
}

// take has the children answered from what was recorded of them. Their ids aren't given to others.
func (c *children) take(p *replay) {
	c.replay, p.children = p, c
	for _, child := range p.recorded {
		c.ids[journal.NodeOf(child.Path)+"@"+child.id] = true
	}
}

// spawn answers a call of RunNode: by a child that was recorded, or by a new one.
func (r *run) spawn(ctx *Context, q *childRequest) {
	c := ctx.act.inner.children
	if c.replay != nil {
		if answered := c.replay.answer(q); answered {
			return
		}
	}
	c.begin(q)
}

// begin triggers a new child.
func (c *children) begin(q *childRequest) {
	owner := c.in.owner
	switch {
	case c.total >= owner.def.maxChildren:
		q.result <- childResult{err: Terminal(Errorf(CodeLimit, "%s may have %d children, and %s would be one more",
			owner.path, owner.def.maxChildren, q.node.name))}
		return
	case q.named && c.ids[q.node.name+"@"+q.id]:
		q.result <- childResult{err: Terminal(Errorf(CodeError, "%s has a child %s@%s already", owner.path, q.node.name, q.id))}
		return
	}
	a := c.activation(q)
	a.trigger = c.in.run.nextTrigger()
	a.input = q.input
	c.in.count(a.node, 1)
	c.in.run.ready.add(a)
}

// activation makes the activation of a child. Its id is the one that the body gave, else the next number that is free.
func (c *children) activation(q *childRequest) *activation {
	for !q.named && (q.id == "" || c.ids[q.node.name+"@"+q.id]) {
		c.counts[q.node.name]++
		q.id = strconv.Itoa(c.counts[q.node.name])
	}
	c.total++
	c.ids[q.node.name+"@"+q.id] = true
	c.outstanding++
	a := &activation{in: c.in, node: len(c.activations), def: q.node, path: c.in.prefix + q.node.name + "@" + q.id,
		n: c.counts[q.node.name], recorded: true, branch: c.in.owner.innerBranch()}
	if q.ownBranch {
		a.branch = joinBranch(a.branch, q.node.name+"@"+q.id)
	}
	c.activations = append(c.activations, a)
	c.requests = append(c.requests, q)
	c.wrote = append(c.wrote, nil)
	return a
}

// done notes that a child gave a result. Its parent gets it when it is durable.
func (c *children) done(a *activation, res Result) {
	if c.requests[a.node].asOutput && res.Output != nil {
		c.output = journal.Some(res.Output)
	}
	c.answer(a, childResult{result: Result{Output: res.Output, Routes: res.Routes}})
}

// failed notes that a child failed for good.
func (c *children) failed(a *activation, e *NodeError) { c.answer(a, childResult{err: e}) }

func (c *children) answer(a *activation, res childResult) {
	q := c.requests[a.node]
	c.view.apply(a.path, a.trigger, c.wrote[a.node])
	c.over(a)
	c.in.run.answers = append(c.in.run.answers, answer{c, q, res})
}

// over notes that nothing more comes of a child.
func (c *children) over(a *activation) { c.activations[a.node] = nil }

// noteWrites lets the bodies of dynamic nodes around an activation see what it wrote, once their child is over. What it wrote
// to the state of an isolated activation stays there.
func noteWrites(a *activation, d delta) {
	for i := a; i != nil && len(d) > 0; i = i.in.owner {
		if i.own != nil {
			d = d.sharedOnly()
		}
		if c := i.in.children; c != nil {
			c.wrote[i.node] = joinDeltas(c.wrote[i.node], d)
		}
	}
}

// joinDeltas is what two writes come to, one after the other.
func joinDeltas(first, second delta) delta {
	joined := make(delta, len(first)+len(second))
	maps.Copy(joined, first)
	maps.Copy(joined, second)
	return joined
}

// answer is a result that a body gets when it is durable.
type answer struct {
	children *children
	request  *childRequest
	result   childResult
}

// giveAnswers hands results to the bodies that wait for them, or, when they could not be recorded, the failure.
func (r *run) giveAnswers(failure error) {
	for _, a := range r.answers {
		a.children.outstanding--
		if failure != nil {
			a.result = childResult{err: failure}
		}
		a.request.result <- a.result
	}
	r.answers = r.answers[:0]
}

// bodyReturned ends an attempt whose body has returned. Children that it left behind are cancelled and awaited first.
func (r *run) bodyReturned(ctx *Context, res Result, err error) {
	in := ctx.act.inner
	if in == nil {
		r.finish(ctx, res, err)
		return
	}
	if r.ending == nil {
		r.checkContext() // the body may have seen that the run ends before the run did, and made what it liked of it
	}
	if e := ctx.act.stopping(); e != nil && e.goesOn() {
		return // it runs again, and its children go on, when the run is taken up
	}
	c := in.children
	if c.broken != nil {
		res, err = Result{}, c.broken
	}
	if out, delegated := c.output.Get(); delegated && err == nil {
		res.Output = out
	}
	if in.live == 0 {
		c.warnUnclaimed(err)
		r.leaveComposite(in, res, err)
		return
	}
	c.returned = &returnedBody{res, err}
	r.endInner(in, &ending{status: journal.Failed, cause: errParentReturned})
}
