package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// childServers are the programs that the test binary can be: the official server, and servers with one fault each,
// which no SDK would produce. Those that don't end by themselves do so after a minute, whatever became of the test.
func childServers() map[string]func() {
	return map[string]func(){
		"official":          serveOfficial,
		"exits-on-discover": func() { exitOnDiscover(); serveOfficial() },
		"ignores-discover":  func() { serveRaw(legacyAnswers(callAnswer(`{"content":[]}`))) },
		"logs-on-stdout":    func() { fmt.Println("Server listening on stdio"); serveRaw(legacyAnswers(ignore)) },
		"duplicate-key":     func() { serveRaw(legacyAnswers(callAnswer(`{"content":[{"type":"text","text":"A","text":"B"}]}`))) },
		"unsafe-id":         func() { serveRaw(legacyAnswers(rawAnswer(`{"jsonrpc":"2.0","id":9007199254740993,"result":{}}`))) },
		"half-a-line":       func() { serveRaw(legacyAnswers(halfAnswer)) },
		"endless-line":      func() { serveRaw(legacyAnswers(endlessAnswer)) },
		"starts-slowly":     func() { time.Sleep(time.Second); serveOfficial() },
		"says-nothing":      func() { time.Sleep(time.Minute) },
		"stops-reading":     func() { serveRaw(legacyAnswers(ignore).thenStop("tools/list")) },
		"dies-at-start":     func() { fmt.Fprintln(os.Stderr, "licence key missing"); os.Exit(3) },
		"leaves-a-child":    func() { startGrandchild(nil); serveOfficial() },
		"leaves-a-daemon":   func() { startGrandchild(ownGroup()); serveOfficial() },
		"ignores-the-end":   func() { signal.Ignore(syscall.SIGTERM); serveOfficial(); time.Sleep(time.Minute) },
		"grandchild":        func() { signal.Ignore(syscall.SIGTERM); time.Sleep(time.Minute) },
		"unknown-content":   func() { serveRaw(legacyAnswers(callAnswer(`{"content":[{"type":"hologram"}]}`))) },
	}
}

// serveOfficial serves the tools of officialServer over stdio with the official SDK.
func serveOfficial() {
	server := officialServer(context.Background())
	if err := server.Run(context.Background(), &sdk.StdioTransport{}); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// officialServer has tools that show what a caller gets through. Those that hang end with life at the latest.
func officialServer(life context.Context) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, nil)
	yes := &sdk.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true}
	add := func(name string, hints *sdk.ToolAnnotations, run sdk.ToolHandler) {
		server.AddTool(&sdk.Tool{
			Name: name, Description: "The tool " + name + ".", Annotations: hints,
			InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
		}, run)
	}
	add("echo", yes, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return textResult(string(req.Params.Arguments)), nil
	})
	add("facts", yes, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{StructuredContent: json.RawMessage(facts)}, nil
	})
	add("fails", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		res := textResult("no such customer")
		res.IsError = true
		return res, nil
	})
	add("key", nil, func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return textResult(fmt.Sprint(req.Params.Meta["plait.dev/idempotency-key"])), nil
	})
	add("environ", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return textResult(strings.Join(os.Environ(), "\n")), nil
	})
	add("where", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		dir, err := os.Getwd()
		return textResult(dir), err
	})
	add("pid", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return textResult(fmt.Sprint(os.Getpid())), nil
	})
	add("hang", nil, func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		select {
		case <-ctx.Done():
		case <-life.Done():
		}
		return nil, errors.New("given up")
	})
	add("crash", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		fmt.Fprintln(os.Stderr, "out of cheese")
		os.Exit(4)
		return nil, nil
	})
	add("asks", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{InputRequests: sdk.InputRequestMap{
			"1": &sdk.ElicitParams{Message: "sure?", RequestedSchema: json.RawMessage(`{"type":"object"}`)},
		}}, nil
	})
	add("refuses", nil, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return nil, errors.New("refused by the handler")
	})
	return server
}

// facts is structured content that a decoder to float64 would spoil.
const facts = `{"zeta":1,"alpha":9007199254740993,"ratio":1.0,"list":[1,2.5,"x"]}`

func textResult(text string) *sdk.CallToolResult {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// exitOnDiscover ends the process when the first request is the probe, as servers do that take an unknown method for a
// fatal mistake. It reads no further than that line, and a server that goes on reads the rest.
func exitOnDiscover() {
	var line []byte
	for b := make([]byte, 1); ; {
		if _, err := os.Stdin.Read(b); err != nil || b[0] == '\n' {
			break
		}
		line = append(line, b[0])
	}
	if strings.Contains(string(line), "server/discover") {
		os.Exit(1)
	}
	// The line has been taken off stdin: put it back in front of the rest.
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	rest := os.Stdin
	os.Stdin = r
	go func() {
		defer func() { _ = w.Close() }()
		_, _ = w.Write(append(line, '\n'))
		_, _ = bufio.NewReader(rest).WriteTo(w)
	}()
}

// answer returns the line, or lines, with which a raw server answers a request.
type answer func(method string, id json.RawMessage) string

// serveRaw reads requests and writes what answer makes of them.
func serveRaw(answer answer) {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var req struct {
			Method string          `json:"method"`
			ID     json.RawMessage `json:"id"`
		}
		if json.Unmarshal(lines.Bytes(), &req) == nil && req.ID != nil {
			fmt.Print(answer(req.Method, req.ID))
		}
	}
}

// thenStop answers no more, and reads no more, after it has answered a method.
func (a answer) thenStop(last string) answer {
	return func(method string, id json.RawMessage) string {
		line := a(method, id)
		if method == last {
			fmt.Print(line)
			time.Sleep(time.Minute)
		}
		return line
	}
}

// legacyAnswers answers as a server of 2025 does, which doesn't react to a method that it doesn't know. Calls of tools
// are answered by call.
func legacyAnswers(call answer) answer {
	return func(method string, id json.RawMessage) string {
		switch method {
		case "initialize":
			return result(id, `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"raw","version":"1"}}`)
		case "tools/list":
			return result(id, `{"tools":[{"name":"echo","inputSchema":{"type":"object"}}]}`)
		case "tools/call":
			return call(method, id)
		}
		return ""
	}
}

func result(id json.RawMessage, value string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, value)
}

func ignore(string, json.RawMessage) string { return "" }

func callAnswer(value string) answer {
	return func(_ string, id json.RawMessage) string { return result(id, value) }
}

func rawAnswer(line string) answer {
	return func(string, json.RawMessage) string { return line + "\n" }
}

func halfAnswer(_ string, id json.RawMessage) string {
	fmt.Print(strings.TrimSuffix(result(id, `{"content":[]}`), "\n"))
	os.Exit(0)
	return ""
}

func endlessAnswer(string, json.RawMessage) string {
	for {
		if _, err := os.Stdout.WriteString(strings.Repeat("x", 64<<10)); err != nil {
			os.Exit(0)
		}
	}
}

// startGrandchild leaves a process behind that holds our pipes open and doesn't end by itself.
func startGrandchild(attr *syscall.SysProcAttr) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asChild+"=grandchild")
	cmd.SysProcAttr = attr
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, "grandchild", cmd.Process.Pid)
	if path := os.Getenv("PLAIT_MCP_TEST_PIDFILE"); path != "" {
		if err := os.WriteFile(path, []byte(fmt.Sprint(cmd.Process.Pid)), 0o600); err != nil {
			panic(err)
		}
	}
}
