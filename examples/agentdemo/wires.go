package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/anthropic"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
	"github.com/plait-dev/plait/pkg/agentkit/provider/openai"
)

// Each result is a message of its own in the transcript; how they are grouped is the wire's business.
func wireShapes(ctx context.Context, say printer) error {
	for _, v := range []struct {
		name string
		make func(o provider.Options) (*provider.Model, error)
	}{
		{"anthropic", func(o provider.Options) (*provider.Model, error) { return anthropic.New(anthropic.Options{Options: o}) }},
		{"openai", func(o provider.Options) (*provider.Model, error) { return openai.New(openai.Options{Options: o}) }},
		{"google", func(o provider.Options) (*provider.Model, error) { return google.New(google.Options{Options: o}) }},
	} {
		body, err := encoded(ctx, v.make)
		if err != nil {
			return err
		}
		shape, err := outline(body)
		if err != nil {
			return err
		}
		say("%-9s  %s", v.name, shape)
	}
	return nil
}

// conversation is the transcript that is sent.
func conversation() []core.Message {
	asked := core.Message{Role: core.RoleModel, Author: "reader"}
	var results []core.Message
	for _, id := range []string{"call_1", "call_2", "call_3"} {
		asked.Parts = append(asked.Parts, core.ToolCall{ID: id, Name: "read_file", Args: `{"path":"` + id + `"}`})
		results = append(results, core.Message{Role: core.RoleTool, Author: "reader",
			Parts: []core.Part{core.ToolResult{ID: id, Name: "read_file", Text: "the text of " + id}}})
	}
	return append([]core.Message{core.UserMessage("Read them."), asked}, results...)
}

// encoded returns the body that a wire makes of the conversation. The other end of its connection is in this process.
func encoded(ctx context.Context, newModel func(provider.Options) (*provider.Model, error)) ([]byte, error) {
	bodies := make(chan []byte, 1)
	client, err := provider.NewClient(provider.ClientOptions{
		Dial: func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			go refuse(far, bodies)
			return near, nil
		}})
	if err != nil {
		return nil, err
	}
	defer client.CloseIdle()
	m, err := newModel(provider.Options{Model: "demo", BaseURL: "http://vendor.invalid", Client: client})
	if err != nil {
		return nil, err
	}
	_, err = core.Collect(m.Stream(ctx, &core.Request{Messages: conversation()}))
	select {
	case body := <-bodies:
		return body, nil
	default:
		return nil, errors.Join(errors.New("nothing was sent"), err)
	}
}

// refuse reads one request and answers that there is nobody.
func refuse(conn net.Conn, bodies chan<- []byte) {
	defer conn.Close()
	req, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return
	}
	bodies <- body
	_, _ = io.WriteString(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

// outline writes the messages of a body as role(part part …); a text alone has no parts.
func outline(body []byte) (string, error) {
	type message struct {
		Role    string           `json:"role"`
		Content json.RawMessage  `json:"content"`
		Parts   []map[string]any `json:"parts"`
		Calls   []any            `json:"tool_calls"`
	}
	var request struct {
		Messages []message `json:"messages"`
		Contents []message `json:"contents"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return "", err
	}
	var all []string
	for _, m := range append(request.Messages, request.Contents...) {
		var parts []string
		var blocks []struct {
			Type string `json:"type"`
		}
		if json.Unmarshal(m.Content, &blocks) == nil {
			for _, b := range blocks {
				parts = append(parts, b.Type)
			}
		}
		for range m.Calls {
			parts = append(parts, "tool_call")
		}
		for _, p := range m.Parts {
			for _, name := range []string{"text", "functionCall", "functionResponse"} {
				if _, ok := p[name]; ok {
					parts = append(parts, name)
				}
			}
		}
		if len(parts) > 0 {
			m.Role += "(" + strings.Join(parts, " ") + ")"
		}
		all = append(all, m.Role)
	}
	return strings.Join(all, " "), nil
}
