package mcp

import (
	"context"
	"slices"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// MetaIdempotencyKey is the name in a call's _meta under which a server finds the idempotency key.
const MetaIdempotencyKey = "plait.dev/idempotency-key"

// CallOptions holds what may go with a call beside its arguments.
type CallOptions struct {
	// IdempotencyKey is the same for every execution of the same call; empty sends none.
	IdempotencyKey string
}

// call calls one tool. args is a map or the JSON text of an object. A session that the server has forgotten is made
// again and the call repeated once: a server that doesn't know the session hasn't acted on it. Nothing else is repeated
// here; whether that is safe is the caller's to know.
func (s *server) call(ctx context.Context, tool string, args any, opts CallOptions) (Result, error) {
	op := "call " + tool
	if allow := s.cfg.AllowTools; len(allow) > 0 && !slices.Contains(allow, tool) {
		return Result{}, classify(s.cfg.Name, op, refusef("not among the tools that are allowed: %s", listed(allow)))
	}
	for repeated := false; ; repeated = true {
		sess, err := s.session(ctx)
		if err != nil {
			return Result{}, err
		}
		var res *sdk.CallToolResult
		lost, err := sess.do(ctx, s.cfg.Timeout, op, func(ctx context.Context) (err error) {
			res, err = sess.cs.CallTool(ctx, callParams(tool, args, opts))
			return err
		})
		if lost {
			s.drop(sess)
			if !repeated {
				continue
			}
		}
		switch {
		case err != nil:
			return Result{}, err
		case res.NeedsInput():
			return Result{}, classify(s.cfg.Name, op, refusef("the tool asks for input before it goes on, and gets none"))
		}
		return newResult(res), nil
	}
}

// callParams makes new parameters for each call: the SDK writes into them.
func callParams(tool string, args any, opts CallOptions) *sdk.CallToolParams {
	params := &sdk.CallToolParams{Name: tool, Arguments: args}
	if opts.IdempotencyKey != "" {
		params.Meta = sdk.Meta{MetaIdempotencyKey: opts.IdempotencyKey}
	}
	return params
}
