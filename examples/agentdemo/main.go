// Agentdemo shows seven behaviours of an agent loop that break without a sign when they are wrong. The loop is the real one,
// the model is scripted, and nothing goes over a network: it runs anywhere, in a second, without a key.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// behaviour is one of the seven.
type behaviour struct {
	title string
	naive string // what a loop does that doesn't know of it
	show  func(ctx context.Context, say printer) error
}

// printer writes a line of what happens.
type printer func(format string, args ...any)

func behaviours() []behaviour {
	return []behaviour{
		{
			title: `Calls are made whatever the stop reason says`,
			naive: `sees "end", drops the call, and returns an empty answer without an error`,
			show:  stopReason,
		},
		{
			title: "One transcript with three parallel calls has three shapes",
			naive: "takes one vendor's shape for the rule, and is refused by the next vendor",
			show:  wireShapes,
		},
		{
			title: "An answer that the output limit cut off runs none of its calls",
			naive: "closes the open string, and writes half of the file over the whole one",
			show:  cutOff,
		},
		{
			title: "An abort in the middle of a batch splits nothing",
			naive: "asks in each goroutine whether it may begin: some calls run, some don't, and the transcript has calls without a result",
			show:  abortedBatch,
		},
		{
			title: "A session that was interrupted in a batch goes on",
			naive: "drops the interrupted answer and keeps its result, which every vendor refuses: the session can't be used any more",
			show:  damagedTranscript,
		},
		{
			title: "A run goes on in another process when its own is killed",
			naive: "begins anew and charges twice, or sends a call without a result and is refused",
			show:  restart,
		},
		{
			title: "Three delegations of one turn work at the same time",
			naive: "runs one helper after the other, or counts none of what they use",
			show:  delegation,
		},
	}
}

func main() {
	ctx := context.Background()
	var err error
	if len(os.Args) == 3 && os.Args[1] == childArg { // one of the two processes of the sixth behaviour
		err = child(ctx, func(format string, args ...any) { _, _ = fmt.Fprintf(os.Stdout, format+"\n", args...) }, os.Args[2])
	} else {
		err = demo(ctx, os.Stdout)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "agentdemo:", err)
		os.Exit(1)
	}
}

// demo shows the behaviours one after the other.
func demo(ctx context.Context, out io.Writer) error {
	for i, b := range behaviours() {
		var lines strings.Builder
		err := b.show(ctx, func(format string, args ...any) { fmt.Fprintf(&lines, "   "+format+"\n", args...) })
		if err != nil {
			return fmt.Errorf("%s: %w", b.title, err)
		}
		if _, err := fmt.Fprintf(out, "%d. %s\n%s   A naive loop %s.\n\n", i+1, b.title, lines.String(), b.naive); err != nil {
			return err
		}
	}
	return nil
}
