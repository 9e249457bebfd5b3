package workflow_test

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// body is what a node of a test does.
type body = func(ctx *workflow.Context, input any) (workflow.Result, error)

// lab builds workflows from text and watches what their nodes do.
type lab struct {
	bodies map[string]body
	// otherwise is the body of nodes without one; nil gives the path.
	otherwise body
	config    map[string]workflow.NodeConfig
	// inner are the graphs of nodes that are nested workflows, items what workers do for each element, both by node.
	inner map[string]string
	items map[string]worker
	// teams are the members of nodes that are teams: "seq a b", "par a b", "loop 3 a b".
	teams map[string]string
	// dynamic are the bodies of dynamic nodes.
	dynamic map[string]body
	// opts are those of nested workflows.
	opts map[string][]workflow.Option
	// delay says how long an activation takes; nil means no time. breaks says whether the next body to begin fails.
	delay  func(path string) time.Duration
	breaks func() error

	mu     sync.Mutex
	calls  []call
	active int
	peak   int
}

// worker is a parallel worker of a test.
type worker struct {
	body string
	max  int
}

// call is one execution of a body.
type call struct {
	path    string
	attempt int
	input   any
	key     string
	branch  string
}

func newLab() *lab {
	return &lab{bodies: map[string]body{}, config: map[string]workflow.NodeConfig{}, inner: map[string]string{},
		items: map[string]worker{}, teams: map[string]string{}, dynamic: map[string]body{}, opts: map[string][]workflow.Option{}}
}

// does sets the body of a node.
func (l *lab) does(node string, b body) *lab {
	l.bodies[node] = b
	return l
}

// routes makes the n-th activation of a node produce the n-th of the given lists of routes, parted by commas.
func (l *lab) routes(node string, each ...string) *lab {
	return l.does(node, func(ctx *workflow.Context, _ any) (workflow.Result, error) {
		n := visit(ctx)
		res := workflow.Result{Output: ctx.Path()}
		if n <= len(each) && each[n-1] != "" {
			res.Routes = strings.Split(each[n-1], ",")
		}
		return res, nil
	})
}

// visit is the number in the path of an activation.
func visit(ctx *workflow.Context) int {
	last := ctx.Path()[strings.LastIndexByte(ctx.Path(), '/')+1:]
	n := last[strings.LastIndexByte(last, '@')+1:]
	v := 0
	for _, digit := range n {
		v = 10*v + int(digit-'0')
	}
	return v
}

var arrowPattern = regexp.MustCompile(`-(?:\[([^\]]*)\])?->|->`)

// build makes a workflow of lines such as "START -> c -[A]-> a -> J". Nodes with a capital first letter are joins, the
// others do what the lab says, by default they give their path.
func (l *lab) build(t testing.TB, text string, opts ...workflow.Option) *workflow.Workflow {
	t.Helper()
	w, err := workflow.New("test", l.edges(text), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func (l *lab) edges(text string) []workflow.Edge {
	nodes := map[string]workflow.Node{"START": workflow.Start}
	node := func(name string) workflow.Node {
		if nodes[name] == nil {
			nodes[name] = l.node(name)
		}
		return nodes[name]
	}
	var edges []workflow.Edge
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == ';' }) {
		ends := arrowPattern.Split(line, -1)
		for i, arrow := range arrowPattern.FindAllStringSubmatch(line, -1) {
			edges = append(edges, workflow.Edge{From: node(strings.TrimSpace(ends[i])), To: node(strings.TrimSpace(ends[i+1])),
				Route: routeOf(arrow[1])})
		}
	}
	return edges
}

func routeOf(text string) workflow.Route {
	if text == "" {
		return nil
	}
	return workflow.MultiRoute[string](strings.Split(text, ","))
}

func (l *lab) node(name string) workflow.Node {
	switch inner, worker := l.inner[name], l.items[name]; {
	case 'A' <= name[0] && name[0] <= 'Z':
		return workflow.NewJoinNode(name)
	case inner != "":
		w, err := workflow.New(name, l.edges(inner), l.opts[name]...)
		if err != nil {
			panic(err)
		}
		return workflow.NewWorkflowNode(name, w, l.config[name])
	case l.teams[name] != "":
		return workflow.NewTeamNode(name, l.team(name), l.config[name])
	case l.dynamic[name] != nil:
		return workflow.NewDynamicNode(name, l.dynamic[name], workflow.DynamicConfig{NodeConfig: l.config[name], MaxChildren: 10})
	case worker.body != "":
		return workflow.NewParallelWorker(name, l.node(worker.body), worker.max, l.config[name])
	}
	return workflow.NewNode(name, func(ctx *workflow.Context, input any) (workflow.Result, error) {
		l.enter(ctx, input)
		defer l.leave()
		if l.delay != nil {
			if err := sleep(ctx, l.delay(ctx.Path())); err != nil {
				return workflow.Result{}, err
			}
		}
		if err := l.broken(); err != nil {
			return workflow.Result{}, err
		}
		if b := l.bodies[name]; b != nil {
			return b(ctx, input)
		}
		if l.otherwise != nil {
			return l.otherwise(ctx, input)
		}
		return workflow.Result{Output: ctx.Path()}, nil
	}, l.config[name])
}

func (l *lab) broken() error {
	if l.breaks == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.breaks()
}

// team makes the team of a node.
func (l *lab) team(name string) *workflow.Team {
	words := strings.Fields(l.teams[name])
	way, words := words[0], words[1:]
	laps := 0
	if way == "loop" {
		laps, words = int(words[0][0]-'0'), words[1:]
	}
	var members []workflow.Node
	for _, member := range words {
		members = append(members, l.node(member))
	}
	switch way {
	case "par":
		return workflow.NewParallel(name, members...)
	case "loop":
		return workflow.NewLoop(name, laps, members...)
	default:
		return workflow.NewSequence(name, members...)
	}
}

// sleep passes the time of a test's bubble.
func sleep(ctx context.Context, d time.Duration) error {
	if d == 0 {
		return nil
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l *lab) enter(ctx *workflow.Context, input any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = append(l.calls, call{ctx.Path(), ctx.Attempt(), input, ctx.IdempotencyKey(), ctx.Branch()})
	l.active++
	l.peak = max(l.peak, l.active)
}

func (l *lab) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.active--
}

// paths lists the executed bodies in the order in which they began.
func (l *lab) paths() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var paths []string
	for _, c := range l.calls {
		paths = append(paths, c.path)
	}
	return paths
}

// input is what the first execution of an activation was called with.
func (l *lab) input(path string) any {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.calls {
		if c.path == path {
			return c.input
		}
	}
	return "never called"
}

// outcome is what a caller has seen of a run.
type outcome struct {
	events []workflow.Event
	output any
	err    error
}

// run lets a workflow run and collects what it tells.
func run(w *workflow.Workflow, req workflow.RunRequest) outcome {
	return watch(w, context.Background(), req)
}

func watch(w *workflow.Workflow, ctx context.Context, req workflow.RunRequest) outcome {
	return collect(w.Run(ctx, req))
}

func resume(w *workflow.Workflow, req workflow.ResumeRequest) outcome {
	return collect(w.Resume(context.Background(), req))
}

func collect(events func(func(workflow.Event, error) bool)) outcome {
	var o outcome
	for e, err := range events {
		if err != nil {
			o.err = err
			continue
		}
		o.events = append(o.events, e)
		if e.Kind == workflow.RunCompleted {
			o.output = e.Output
		}
	}
	return o
}

// of lists "kind path" of the events of some kinds.
func (o outcome) of(kinds ...workflow.EventKind) []string {
	var list []string
	for _, e := range o.events {
		if slices.Contains(kinds, e.Kind) {
			list = append(list, strings.TrimSpace(string(e.Kind)+" "+e.Path))
		}
	}
	return list
}

// last is the last event.
func (o outcome) last() workflow.Event {
	if len(o.events) == 0 {
		return workflow.Event{}
	}
	return o.events[len(o.events)-1]
}

// notes lists the codes and paths of the warnings.
func (o outcome) notes() []string {
	var list []string
	for _, e := range o.events {
		if n, ok := e.Record.(journal.Note); ok {
			list = append(list, strings.TrimSpace(n.Code+" "+n.Path))
		}
	}
	return list
}

// codeOf returns the code of a run's error.
func codeOf(err error) workflow.Code {
	if e, ok := errors.AsType[*workflow.RunError](err); ok {
		return e.Code
	}
	return ""
}

// ids gives ids that are the same in each run.
func ids(process string) func() string {
	n := 0
	return func() string {
		n++
		return process + string(rune('a'+n/26)) + string(rune('a'+n%26))
	}
}
