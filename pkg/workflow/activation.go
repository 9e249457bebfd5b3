package workflow

import (
	"time"
)

// activation is one execution of a node, from its trigger to its end.
type activation struct {
	in      *instance
	node    int
	def     *node
	n       int    // counts the activations of the node in its instance from 1
	path    string // the id
	branch  string
	trigger int // orders the activations of the run
	status  status

	executes bool // the body of the present attempt, on a goroutine
	recorded bool // the journal needs the input, because it isn't the output of the source

	// from lists, for the journal, the activations that caused this one: the one whose end triggered it, or those whose
	// arrivals a join consumed. Items of workers and children of dynamic nodes are caused by none, members of a team by its
	// START.
	from []string
	// input is what its trigger brought, and when it has started what bodies get: the same, or what the node's Input made
	// of it.
	input any

	attempt     int
	startCommit int           // how many state commits there were when the attempt began
	began       time.Duration // on the run's watch
	stopPause   func() bool   // stops the timer of a pause between attempts
	inner       *instance     // what a composite, or a dynamic node, consists of during an attempt
	replay      *replay       // what was recorded of the inside of a dynamic node
	pause       *pause        // for people, in the present attempt
	own         *ownSession   // of an isolated activation, from its start on; nil for everything else
	scope       *scope        // of an item of a worker; nil for everything else
	ctx         *Context      // that of the present attempt
	first       Context       // that of the first attempt
}

func (a *activation) become(s status) {
	if !a.status.mayBecome(s) {
		//nolint:forbidigo // only a mistake in this package leads here
		panic("workflow: " + a.path + " can't become " + s.String() + ", it is " + a.status.String())
	}
	a.in.run.noteStatus(a.status, -1)
	a.in.run.noteStatus(s, 1)
	a.status = s
}

// leaf says that the activation holds a concurrency slot while it executes.
func (a *activation) leaf() bool { return a.def.leaf() }

// stopping returns why no more comes of an activation that executes: the ending of its run, of an instance that it is
// part of, or of the items behind one that failed. It is nil in the normal course of things.
func (a *activation) stopping() *ending {
	if a.in.items != nil && a.in.items.givenUp(a) {
		return a.in.items.ending
	}
	return a.in.stopping()
}
