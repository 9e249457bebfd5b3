package adkparity

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// unasked is the id of no question.
const unasked = "?"

// errBroken is what failing bodies return.
var errBroken = errors.New("broken")

// Schedule says how long an execution takes: of which node, and the how-manieth of it.
type Schedule func(node string, call int) time.Duration

// Delays gives each execution a time that depends on the number of the schedule. Number 0 gives none.
func Delays(number int) Schedule {
	if number == 0 {
		return func(string, int) time.Duration { return 0 }
	}
	return func(node string, call int) time.Duration {
		sum := hash(fmt.Sprint(number, node, call))
		d := time.Duration(1+sum%97) * time.Millisecond
		if sum>>40%5 == 0 {
			d *= 50
		}
		return d
	}
}

// script decides what each execution of a body does, for either engine alike, and notes it.
type script struct {
	schedule Schedule

	mu     sync.Mutex
	visits map[string]int // finished activations by node
	tries  map[string]int // failed attempts of the activation under way, by node or item
	calls  map[string]int // executions by node
	begun  map[string]time.Time

	// asked are the ids of the open questions by node, oldest first.
	asked map[string][]string
	// closed are those that were answered last.
	closed map[string]string

	outcome Outcome
	active  int
}

func newScript(schedule Schedule) *script {
	return &script{
		schedule: schedule, visits: map[string]int{}, tries: map[string]int{}, calls: map[string]int{},
		begun: map[string]time.Time{}, asked: map[string][]string{}, closed: map[string]string{},
		outcome: Outcome{Calls: map[string]int{}, Fired: map[string]int{}, Branches: map[string]int{},
			Said: map[string]int{}, Prompts: map[string][]Prompt{}, Gaps: map[string][]float64{},
		},
	}
}

// step is what one attempt does.
type step struct {
	Act

	input  any
	output any
	fails  bool
	takes  time.Duration
	call   int // the how-manieth execution of the node
}

// begin says what an execution of a node does. The body of a worker acts by the number of its element, and is tried as
// often as the worker says.
func (s *script) begin(name, branch string, n Node, worker *Node, input any) step {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active++
	s.outcome.Peak = max(s.outcome.Peak, s.active)
	s.calls[name]++
	if before, ok := s.begun[name]; ok {
		s.outcome.Gaps[name] = append(s.outcome.Gaps[name], time.Since(before).Seconds())
	}
	s.begun[name] = time.Now()

	key, number, attempts := name, s.visits[name], n.Attempts
	if worker != nil {
		key, number, attempts = name+jsonText(input), elementNumber(input), worker.Attempts
	}
	st := step{input: input, call: s.calls[name], takes: s.schedule(name, s.calls[name])}
	if len(n.Acts) > 0 {
		st.Act = n.Acts[min(number, len(n.Acts)-1)]
	}
	st.takes += st.Takes
	st.fails = s.tries[key] < st.Fails
	s.outcome.Calls[fmt.Sprintf("%s attempt %d of %s", name, s.tries[key]+1, jsonText(input))]++
	s.outcome.Branches[name+onBranch+branch]++
	s.note(name, input)
	if st.fails {
		s.tries[key]++
	}
	if !st.fails || s.tries[key] >= max(1, attempts) {
		s.tries[key] = 0
		s.visits[name]++
	}
	st.output = st.value(name, input)
	return st
}

// note records over which edge a value came.
func (s *script) note(name string, input any) {
	text, isText := input.(string)
	source, _, found := strings.Cut(text, "(")
	if taken := source + " -> " + name; isText && found && !slices.Contains(s.outcome.Taken, taken) {
		s.outcome.Taken = append(s.outcome.Taken, taken)
		slices.Sort(s.outcome.Taken)
	}
}

// stands notes the branch of what isn't a body.
func (s *script) stands(name, branch string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcome.Branches[name+onBranch+branch]++
}

// says notes what an agent said, called or got.
func (s *script) says(author, branch string, lines []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range lines {
		s.outcome.Said[author+onBranch+branch+" "+line]++
	}
}

// count is how often a node was executed.
func (s *script) count(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[name]
}

// ask notes a question of a node.
func (s *script) ask(name, id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[name] = append(s.asked[name], id)
}

// answers are those of a message: ids and what is answered. Questions that nobody asks any more are left out.
func (s *script) answers(turn []string) map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := map[string]string{}
	for _, name := range turn {
		closed, again := strings.CutSuffix(name, "!")
		open := s.asked[name]
		switch {
		case name == unasked:
			all[unasked] = "answer"
		case again:
			all[s.closed[closed]] = "another answer"
		case len(open) > 0:
			all[open[0]] = name + "(answer)"
			s.closed[name], s.asked[name] = open[0], open[1:]
		}
	}
	return all
}

// again is what a body gives that is executed again with the answer to its question.
func (n Node) again(name string, answer any) any {
	if !n.Rerun {
		return answer
	}
	return fmt.Sprintf("%s again(%v)", name, answer)
}

// waits reports whether a question is open.
func (s *script) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(slices.Collect(maps.Values(s.asked)), func(open []string) bool { return len(open) > 0 })
}

func (s *script) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
}

// value is the output of an act.
func (a Act) value(name string, input any) any {
	switch {
	case a.Silent:
		return nil
	case a.Output != nil:
		return a.Output
	case a.List != nil:
		list := make([]any, *a.List)
		for i := range list {
			list[i] = fmt.Sprintf("%s(%s).%d", name, brief(input), i)
		}
		return list
	}
	return name + "(" + brief(input) + ")"
}

// brief is a short text that is different for different values.
func brief(v any) string {
	text, isText := v.(string)
	if !isText {
		text = jsonText(v)
	}
	if len(text) <= 24 {
		return text
	}
	return fmt.Sprintf("#%x", hash(text))
}

func hash(text string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text)) // a hash takes everything
	return h.Sum64()
}

// elementNumber is the number at the end of an element of a list.
func elementNumber(v any) int {
	text, _ := v.(string)
	number, err := strconv.Atoi(text[strings.LastIndexByte(text, '.')+1:])
	if err != nil {
		return 0
	}
	return number
}

// perform performs a step and notes when its context ends.
func (s *script) perform(ctx context.Context, name string, st step) error {
	err := st.perform(ctx)
	if err != nil && ctx.Err() != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.outcome.Ended = append(s.outcome.Ended, name)
		slices.Sort(s.outcome.Ended)
	}
	return err
}

// perform takes the time of a step and fails if it has to. The context is the body's.
func (st step) perform(ctx context.Context) error {
	if st.fails && st.How == Exceeds {
		<-ctx.Done()
		return ctx.Err()
	}
	if st.takes > 0 {
		done := ctx.Done()
		if st.Deaf {
			done = nil
		}
		select {
		case <-time.After(st.takes):
		case <-done:
			return ctx.Err()
		}
	}
	switch {
	case !st.fails:
		return nil
	case st.How == Panics:
		panic("script") //nolint:forbidigo // that is what the graph says
	case st.How == Cancels:
		return fmt.Errorf("upstream: %w", context.Canceled)
	default:
		return fmt.Errorf("%w: %s", errBroken, brief(st.input))
	}
}
