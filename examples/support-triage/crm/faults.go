package main

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// idempotencyKey is where plait puts the key that stays the same when it makes a call again.
const idempotencyKey = "plait.dev/idempotency-key"

// faults makes the server slow or silent, to show what its callers do about it.
type faults struct {
	delay     time.Duration // before every answer
	failFirst int64         // so many calls get no answer at all
	log       *slog.Logger

	calls atomic.Int64
}

// middleware stands before the tools. life ends calls that wait when the server goes down.
func (f *faults) middleware(life context.Context) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			call, ok := req.(*mcp.CallToolRequest)
			if !ok {
				return next(ctx, method, req)
			}
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			defer context.AfterFunc(life, cancel)()

			n := f.calls.Add(1)
			log := f.log.With("call", n, "tool", call.Params.Name)
			if key, ok := call.Params.Meta[idempotencyKey]; ok {
				log = log.With("key", key)
			}
			if n <= f.failFirst {
				log.Info("left unanswered")
				<-ctx.Done()
				return nil, errors.New("the caller gave up, as -fail-first wants it")
			}
			if err := f.wait(ctx); err != nil {
				log.Info("given up by the caller")
				return nil, err
			}
			log.Info("answered")
			return next(ctx, method, req)
		}
	}
}

func (f *faults) wait(ctx context.Context) error {
	timer := time.NewTimer(f.delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
