package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"regexp"
	"strings"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
	"github.com/plait-dev/plait/pkg/agentkit/wire"
	"github.com/plait-dev/plait/test/benchkit"
)

// The size of the request that is built.
const (
	manyTools    = 128
	manyMessages = 1000
)

// errNoNetwork is what a model meets where its request would leave.
var errNoNetwork = errors.New("there is no network here")

// cut is a model of a provider whose requests are written and go nowhere.
func cut(name string) (core.Model, error) {
	client, err := provider.NewClient(provider.ClientOptions{
		Dial: func(context.Context, string, string) (net.Conn, error) { return nil, errNoNetwork },
	})
	if err != nil {
		return nil, err
	}
	return wires.New(name, wires.Options{Options: provider.Options{Model: "model-x", BaseURL: "http://vendor.example", Client: client}})
}

// send writes a request up to the point where it would leave.
func send(ctx context.Context, m core.Model, req *core.Request) error {
	_, err := core.Collect(m.Stream(ctx, req))
	if !errors.Is(err, errNoNetwork) {
		return fmt.Errorf("the request came to another end than the network: %w", err)
	}
	return nil
}

// large is a request of a long session: questions, calls, results and answers in turns.
func large() *core.Request {
	req := &core.Request{Agent: "bot", Turn: 1, Attempt: 1, System: "You are a helpful assistant."}
	for i := range manyTools {
		req.Tools = append(req.Tools, core.Spec{Name: fmt.Sprintf("tool_%d", i), Description: strings.Repeat("It does things. ", 10),
			InputSchema: []byte(`{"type":"object","properties":{` + strings.Repeat(`"p":{"type":"string","description":"A parameter."},`, 10) +
				`"q":{"type":"integer"}},"required":["p"]}`)})
	}
	for i := 0; len(req.Messages) < manyMessages; i++ {
		id := callID(i)
		req.Messages = append(req.Messages,
			core.UserMessage(strings.Repeat("What about this one? ", 5)),
			core.Message{Role: core.RoleModel, Model: "model-x", Parts: []core.Part{core.ToolCall{ID: id, Name: "tool_1", Args: arguments}}},
			core.Message{Role: core.RoleTool, Parts: []core.Part{core.ToolResult{ID: id, Name: "tool_1", Text: toolText}}},
			core.Message{Role: core.RoleModel, Model: "model-x", Parts: []core.Part{core.Text{Text: strings.Repeat(answer, 5)}}})
	}
	return req
}

// wireCase is a row of the table of wires.
type wireCase struct {
	name string
	side benchkit.Side
	// per is what one run of the side is divided by, and bytes how many bytes it reads; 0: none.
	per, bytes int
}

// requestCases build a request with a model that was asked before, and with a new one.
func requestCases(ctx context.Context) ([]wireCase, error) {
	var all []wireCase
	req := large()
	for _, name := range []string{"anthropic", "openai", "google"} {
		m, err := cut(name)
		if err != nil {
			return nil, err
		}
		all = append(all,
			wireCase{name: fmt.Sprintf("request of %s, %d tools and %d messages", name, manyTools, manyMessages), per: 1,
				side: func() error { return send(ctx, m, req) }},
			wireCase{name: "the same, the first one of a model", per: 1, side: func() error {
				fresh, err := cut(name)
				if err != nil {
					return err
				}
				return send(ctx, fresh, req)
			}})
	}
	return all, nil
}

// eventCase reads a stream of events that is in memory.
func eventCase() wireCase {
	const events, limit = 1000, 1 << 20
	var stream strings.Builder
	for i := range events {
		fmt.Fprintf(&stream, "event: content_block_delta\ndata: "+
			`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"piece number %d"}}`+"\n\n", i)
	}
	text := stream.String()
	return wireCase{name: "an event of a stream", per: events, bytes: len(text), side: func() error {
		r := wire.NewEvents(strings.NewReader(text), limit)
		n := 0
		for ; ; n++ {
			if _, err := r.Next(); err != nil {
				if n == events && errors.Is(err, io.EOF) {
					return nil
				}
				return fmt.Errorf("after %d events: %w", n, err)
			}
		}
	}}
}

// benchWires prints the table of the wires.
func benchWires(ctx context.Context, w io.Writer, name *regexp.Regexp, m benchkit.Meter) error {
	cases, err := requestCases(ctx)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprint(w, "\n| ours | CPU | MB/s | bytes | allocations |\n|---|---:|---:|---:|---:|\n"); err != nil {
		return err
	}
	for _, c := range append([]wireCase{eventCase()}, cases...) {
		if !name.MatchString(c.name) {
			continue
		}
		costs, err := m.Measure(c.side)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := c.write(w, benchkit.Median(costs[0])); err != nil {
			return err
		}
	}
	return nil
}

func (c wireCase) write(w io.Writer, run benchkit.Cost) error {
	speed := "–"
	if c.bytes > 0 {
		speed = fmt.Sprintf("%.0f", float64(c.bytes)/1e6/(float64(max(1, run.CPU))/float64(time.Second)))
	}
	one := run.Per(c.per)
	_, err := fmt.Fprintf(w, "| %s | %s | %s | %.0f | %.2f |\n", c.name, benchkit.Micros(one.CPU), speed, one.Bytes, one.Allocs)
	return err
}
