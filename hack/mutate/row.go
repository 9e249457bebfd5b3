package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// State says what becomes of a row.
type State string

// The states.
const (
	Live State = "live" // the mutation is made, and the tests have to notice
	Open State = "open" // the behaviour isn't built yet
	Void State = "void" // the behaviour can't hold here
)

// Row is a behaviour and what shows that it is tested.
type Row struct {
	ID        int
	State     State
	Owner     string   // the package that the behaviour belongs to, from the root of the module
	Package   string   // that of the tests
	Tests     []string // names of test functions, fuzz targets included
	Patch     string   // file name in the folder rows
	Behaviour string
	Why       string // what is missing, or why it can't hold; of rows that aren't live
}

// header is the first line of a table.
const header = "id\tstate\towner\ttests\tpatch\tbehaviour\twhy"

// Problem is something that is wrong with a row, or with the table as a whole when Row is 0.
type Problem struct {
	Row  int
	Text string
}

// String gives the row and the text.
func (p Problem) String() string {
	if p.Row == 0 {
		return p.Text
	}
	return fmt.Sprintf("row %d: %s", p.Row, p.Text)
}

// ParseRows reads a table, which has to hold the rows 1 to count in order. What is wrong with a line is reported, and the
// line left out.
func ParseRows(text string, count int) (rows []Row, problems []Problem) {
	first, rest, _ := strings.Cut(text, "\n")
	if first != header {
		return nil, []Problem{{Text: fmt.Sprintf("the table begins with %q, not with %q", first, header)}}
	}
	seen := map[int]bool{}
	last := 0
	for line := range strings.Lines(rest) {
		row, err := parseRow(strings.TrimSuffix(line, "\n"))
		seen[row.ID] = true
		switch {
		case err != nil:
			problems = append(problems, Problem{row.ID, err.Error()})
			continue
		case row.ID <= last:
			problems = append(problems, Problem{row.ID, fmt.Sprintf("it stands behind row %d", last)})
		case row.ID > count:
			problems = append(problems, Problem{row.ID, fmt.Sprintf("there are %d rows: change the number as well", count)})
		}
		last = max(last, row.ID)
		rows = append(rows, row)
	}
	for id := range count {
		if !seen[id+1] {
			problems = append(problems, Problem{id + 1, "it is missing"})
		}
	}
	return rows, problems
}

// parseRow reads one line. With an error the row has no more than its id, if there is one.
func parseRow(line string) (Row, error) {
	f := strings.Split(line, "\t")
	id, err := strconv.Atoi(f[0])
	if err != nil || id < 1 {
		return Row{}, fmt.Errorf("a number from 1 on is expected at the beginning of %q", line)
	}
	if want := strings.Count(header, "\t") + 1; len(f) != want {
		return Row{ID: id}, fmt.Errorf("it has %d columns, not %d", len(f), want)
	}
	row := Row{ID: id, State: State(f[1]), Owner: f[2], Patch: f[4], Behaviour: f[5], Why: f[6]}
	row.Package, row.Tests = parseTests(f[3])
	if err := row.check(); err != nil {
		return Row{ID: id}, err
	}
	return row, nil
}

// parseTests takes "pkg/a TestX|TestY" apart.
func parseTests(text string) (pkg string, tests []string) {
	pkg, names, _ := strings.Cut(text, " ")
	if names == "" {
		return pkg, nil
	}
	return pkg, strings.Split(names, "|")
}

// check holds the columns against the state.
func (r Row) check() error {
	switch {
	case r.Owner == "" || r.Behaviour == "":
		return errors.New("it has no owner or no behaviour")
	case r.State == Live && (len(r.Tests) == 0 || r.Patch == ""):
		return errors.New("it is live, but has no tests (PACKAGE NAME|NAME) or no patch")
	case r.State == Live && r.Why != "":
		return fmt.Errorf("it is live, and says why it isn't: %s", r.Why)
	case r.State == Live:
		return nil
	case !slices.Contains([]State{Open, Void}, r.State):
		return fmt.Errorf("the state is %q, not live, open or void", r.State)
	case r.Why == "":
		return fmt.Errorf("it is %s, but doesn't say why", r.State)
	case r.Package != "" || r.Patch != "":
		return fmt.Errorf("it is %s, but has tests or a patch", r.State)
	}
	return nil
}
