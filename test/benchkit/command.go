package benchkit

import (
	"context"
	"flag"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// Bench measures the cases whose names match, writes its tables, and lists the goals that are missed.
type Bench func(ctx context.Context, w io.Writer, name *regexp.Regexp, m Meter) (missed []string, err error)

// Command is what a program that runs a bench does: flags of the command line change the meter and select cases; missed goals
// are written last. It returns the code to exit with: 1 when -check is given and a goal is missed, 2 when something can't be measured.
// Flags of its own a program defines before.
func Command(out, problems io.Writer, usual Meter, bench Bench) int {
	m := usual
	flag.IntVar(&m.Samples, "samples", usual.Samples, "how often each case is measured on each side; the median counts")
	flag.DurationVar(&m.Each, "each", usual.Each, "how long a sample takes, about")
	only := flag.String("run", ".", "which cases to measure, a regular expression over their names")
	check := flag.Bool("check", false, "exit with 1 when a goal is missed")
	flag.Parse()
	missed, err := measure(out, *only, m, bench)
	if err == nil {
		err = sumUp(out, missed)
	}
	switch {
	case err != nil:
		_, _ = fmt.Fprintln(problems, err)
		return 2
	case *check && len(missed) > 0:
		return 1
	default:
		return 0
	}
}

func sumUp(out io.Writer, missed []string) error {
	text := "\nAll goals are met.\n"
	if len(missed) > 0 {
		text = "\nmissed: " + strings.Join(missed, "\nmissed: ") + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

func measure(out io.Writer, only string, m Meter, bench Bench) (missed []string, err error) {
	name, err := regexp.Compile(only)
	if err != nil {
		return nil, fmt.Errorf("-run: %w", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	return bench(ctx, out, name, m)
}

// Usual is a meter of so many samples of about a tenth of a second.
func Usual(samples int) Meter { return Meter{Samples: samples, Each: 100 * time.Millisecond} }
