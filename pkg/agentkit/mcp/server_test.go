package mcp

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// memoryLink joins a session to an official server in this process, so that a bubble of testing/synctest holds both.
type memoryLink struct {
	client sdk.Transport
	server *sdk.ServerSession
	dead   bool // what it says, whatever it is
}

func (l *memoryLink) transport() sdk.Transport         { return l.client }
func (l *memoryLink) settle()                          {}
func (l *memoryLink) diagnose(err error) (error, bool) { return err, false }
func (l *memoryLink) ended() bool                      { return l.dead }
func (l *memoryLink) close()                           { _ = l.server.Close() }

// openMemory returns an open function for a server.
func openMemory(server *sdk.Server, opts *PoolOptions) func(context.Context) (*session, error) {
	return func(ctx context.Context) (*session, error) {
		client, far := sdk.NewInMemoryTransports()
		peer, err := server.Connect(context.Background(), far, nil)
		if err != nil {
			return nil, err
		}
		return connect(ctx, "crm", &memoryLink{client: client, server: peer}, "", opts)
	}
}

func testServer(cfg ServerConfig) *server {
	cfg.Name, cfg.URL = "crm", "http://127.0.0.1/"
	full, err := cfg.normalised()
	if err != nil {
		panic(err)
	}
	return newServer(full, (*PoolOptions)(nil).withDefaults())
}

// sdkServer is an official server with tools that do nothing.
func sdkServer(opts *sdk.ServerOptions, tools ...string) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: "test", Version: "1"}, opts)
	for _, name := range tools {
		addTool(server, name, func(context.Context, *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: name + " ran"}}}, nil
		})
	}
	return server
}

func addTool(server *sdk.Server, name string, run sdk.ToolHandler) {
	server.AddTool(&sdk.Tool{Name: name, InputSchema: map[string]any{"type": "object"}}, run)
}

// counted counts the requests of a method that a server gets.
func counted(server *sdk.Server, method string) *atomic.Int64 {
	n := new(atomic.Int64)
	server.AddReceivingMiddleware(func(next sdk.MethodHandler) sdk.MethodHandler {
		return func(ctx context.Context, m string, req sdk.Request) (sdk.Result, error) {
			if m == method {
				n.Add(1)
			}
			return next(ctx, m, req)
		}
	})
	return n
}

func TestWhoeverNeedsASessionAtOnceSharesOneAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(ServerConfig{})
		defer s.close()
		var opened atomic.Int64
		memory := openMemory(sdkServer(nil, "a"), s.opts)
		s.open = func(ctx context.Context) (*session, error) {
			opened.Add(1)
			time.Sleep(10 * time.Second) // of the bubble's clock
			return memory(ctx)
		}
		impatient, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := s.session(impatient); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the impatient caller got %v, want its deadline", err)
		}
		var all sync.WaitGroup
		sessions := make([]*session, 50)
		for i := range sessions {
			all.Go(func() {
				var err error
				if sessions[i], err = s.session(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for _, sess := range sessions {
			if sess != sessions[0] {
				t.Error("callers got different sessions")
			}
		}
		if n := opened.Load(); n != 1 {
			t.Errorf("%d attempts, want 1", n)
		}
	})
}

func TestAServerThatIsDownIsLeftAloneForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(ServerConfig{})
		defer s.close()
		begin := time.Now()
		var tries []time.Duration
		broken := true
		memory := openMemory(sdkServer(nil, "a"), s.opts)
		s.open = func(ctx context.Context) (*session, error) {
			tries = append(tries, time.Since(begin).Round(100*time.Millisecond))
			if broken {
				return nil, classify("crm", "connect", errors.New("no route"))
			}
			return memory(ctx)
		}
		for range 500 { // 50 seconds of asking ten times a second
			_, err := s.session(t.Context())
			var se *ServerError
			if !errors.As(err, &se) || !se.Retryable || !strings.Contains(err.Error(), "no route") {
				t.Fatalf("%v, want the last failure, retryable", err)
			}
			time.Sleep(100 * time.Millisecond)
		}
		want := "[0s 500ms 1.5s 3.5s 7.5s 15.5s 30.5s 45.5s]"
		if got := fmt.Sprint(tries); got != want {
			t.Errorf("tried at %s, want %s", got, want)
		}
		_, err := s.session(t.Context())
		if err == nil || !strings.Contains(err.Error(), "not tried again for another") {
			t.Errorf("%v doesn't say when the next attempt is due", err)
		}

		broken = false
		time.Sleep(maxBackoff)
		sess, err := s.session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.drop(sess)
		broken = true
		if _, err := s.session(t.Context()); err == nil {
			t.Fatal("connected")
		}
		tries = nil
		time.Sleep(firstBackoff)
		if _, _ = s.session(t.Context()); len(tries) != 1 {
			t.Error("a success didn't reset the backoff")
		}
	})
}

func TestALostSessionIsMadeAgainByTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(ServerConfig{})
		defer s.close()
		s.open = openMemory(sdkServer(nil, "a"), s.opts)
		first, err := s.session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		first.link.close()
		synctest.Wait()
		if !first.over() {
			t.Fatal("the loss wasn't noticed")
		}
		res, err := s.call(t.Context(), "a", map[string]any{}, CallOptions{})
		if err != nil || res.Text() != "a ran" {
			t.Errorf("%q, %v", res.Text(), err)
		}
	})
}

func TestAFailureThatShowsTheLossEndsTheSessionAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(ServerConfig{})
		defer s.close()
		s.open = openMemory(sdkServer(nil, "a"), s.opts)
		first, err := s.session(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.call(t.Context(), "nope", map[string]any{}, CallOptions{}); err == nil || first.over() {
			t.Fatalf("%v, over %v; want a failure on a session that goes on", err, first.over())
		}
		first.link.(*memoryLink).dead = true
		if _, err := s.call(t.Context(), "nope", map[string]any{}, CallOptions{}); err == nil || !first.over() {
			t.Fatalf("%v, over %v; want a failure that ends the session", err, first.over())
		}
		if second, err := s.session(t.Context()); err != nil || second == first {
			t.Errorf("%v; the next caller got the same session: %v", err, second == first)
		}
	})
}

func TestACallHasATimeLimitOfItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(ServerConfig{Timeout: 2 * time.Second})
		defer s.close()
		server := sdkServer(nil, "quick")
		gaveUp := make(chan struct{})
		addTool(server, "slow", func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			<-ctx.Done()
			close(gaveUp)
			return nil, ctx.Err()
		})
		s.open = openMemory(server, s.opts)
		begin := time.Now()
		_, err := s.call(t.Context(), "slow", map[string]any{}, CallOptions{})
		var se *ServerError
		if !errors.As(err, &se) || !se.TimedOut || !se.Retryable || !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("%#v, want a retryable timeout", err)
		}
		if want := `mcp server "crm": call slow: no answer within 2s`; err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
		if took := time.Since(begin); took != 2*time.Second {
			t.Errorf("took %v", took)
		}
		<-gaveUp // the server is told
		if res, err := s.call(t.Context(), "quick", map[string]any{}, CallOptions{}); err != nil || res.Text() != "quick ran" {
			t.Errorf("the session didn't survive: %q, %v", res.Text(), err)
		}
	})
}

func TestTheCallersOwnEndIsNotTheServersTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(ServerConfig{})
		defer s.close()
		server := sdkServer(nil)
		addTool(server, "slow", func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		s.open = openMemory(server, s.opts)
		shutdown := errors.New("shutting down")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(shutdown) })
		_, err := s.call(ctx, "slow", map[string]any{}, CallOptions{})
		var se *ServerError
		if !errors.Is(err, shutdown) || !errors.Is(err, context.Canceled) || !errors.As(err, &se) || se.TimedOut {
			t.Errorf("%v, want the caller's cause and no timeout", err)
		}

		ctx, stop := context.WithTimeoutCause(t.Context(), time.Second, errors.New("node timeout"))
		defer stop()
		_, err = s.call(ctx, "slow", map[string]any{}, CallOptions{})
		if !errors.As(err, &se) || !se.TimedOut || !strings.Contains(err.Error(), "node timeout") {
			t.Errorf("%v, want the caller's deadline", err)
		}
	})
}

func TestClosingEndsCallsAndAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := testServer(ServerConfig{})
		server := sdkServer(nil)
		addTool(server, "stuck", func(ctx context.Context, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		s.open = openMemory(server, s.opts)
		failed := make(chan error, 1)
		go func() {
			_, err := s.call(t.Context(), "stuck", map[string]any{}, CallOptions{})
			failed <- err
		}()
		synctest.Wait()
		begin := time.Now()
		s.close()
		if took := time.Since(begin); took > s.opts.CloseTimeout {
			t.Errorf("closing took %v", took)
		}
		if err := <-failed; !errors.Is(err, ErrClosed) {
			t.Errorf("the call under way got %v, want ErrClosed", err)
		}
		if _, err := s.session(t.Context()); !errors.Is(err, ErrClosed) {
			t.Errorf("afterwards: %v, want ErrClosed", err)
		}
		s.close() // a second time

		hanging := testServer(ServerConfig{})
		hanging.open = func(ctx context.Context) (*session, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		go func() {
			_, err := hanging.session(t.Context())
			failed <- err
		}()
		synctest.Wait()
		hanging.close()
		if err := <-failed; err == nil {
			t.Error("an attempt succeeded after closing")
		}
	})
}

func TestTheListOfToolsIsBelievedAsLongAsTheServerSays(t *testing.T) {
	for name, tt := range map[string]struct {
		ttl  int // of the server, in milliseconds
		want int64
	}{
		"it says nothing: a minute": {0, 2},
		"ten seconds":               {10_000, 10},
		"an hour":                   {3_600_000, 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				opts := &sdk.ServerOptions{}
				if tt.ttl > 0 {
					opts.SetCacheable = func(_ context.Context, _ sdk.Request, c *sdk.Cacheable) { c.TTLMs = tt.ttl }
				}
				server := sdkServer(opts, "a", "b")
				lists := counted(server, "tools/list")
				s := testServer(ServerConfig{})
				defer s.close()
				s.open = openMemory(server, s.opts)
				for range 100 {
					infos, err := s.tools(t.Context())
					if err != nil || len(infos) != 2 {
						t.Fatalf("%v, %v", infos, err)
					}
					time.Sleep(time.Second)
				}
				if n := lists.Load(); n != tt.want {
					t.Errorf("asked %d times in 100 seconds, want %d", n, tt.want)
				}
			})
		})
	}
}

func TestAWithdrawnToolIsAnErrorOnlyBeforeItWasThere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := sdkServer(nil, "a", "c")
		s := testServer(ServerConfig{AllowTools: []string{"a", "b"}})
		defer s.close()
		s.open = openMemory(server, s.opts)
		_, err := s.tools(t.Context())
		if want := `mcp server "crm": list tools: not offered: b; offered: a, c`; err == nil || err.Error() != want {
			t.Fatalf("%v, want %q", err, want)
		}
		var se *ServerError
		if !errors.As(err, &se) || se.Retryable {
			t.Errorf("%#v, want one that isn't retryable", err)
		}

		addTool(server, "b", nil)
		time.Sleep(2 * defaultListTTL)
		if infos, err := s.tools(t.Context()); err != nil || fmt.Sprint(toolNames(infos)) != "[a b]" {
			t.Fatalf("%v, %v; want a and b", toolNames(infos), err)
		}
		server.RemoveTools("b")
		time.Sleep(2 * defaultListTTL)
		if infos, err := s.tools(t.Context()); err != nil || fmt.Sprint(toolNames(infos)) != "[a]" {
			t.Errorf("%v, %v; want a alone", toolNames(infos), err)
		}
	})
}
