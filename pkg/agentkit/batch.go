package agentkit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/journal"
)

// outcome is what a job came to.
type outcome struct {
	*job

	result core.Result
	used   core.Usage // by the tool, whatever the result is
	took   time.Duration
	// unknown says that the run was cancelled before the call came to an end: there is nothing to record.
	unknown bool
}

// batch runs the jobs of a turn in parallel and commits each result as it comes, those that are there together in one
// commit, in call order. What persons say meanwhile is committed as well. Whether the batch runs is decided once, before
// any of it begins: afterwards all of it has begun. When batch returns, all of it has ended.
func (r *run) batch(ctx context.Context, t *openTurn) error {
	for i := range t.jobs {
		r.emit(Event{Kind: EventTool, Call: &t.jobs[i].call})
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	t.running = true
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan *outcome, len(t.jobs)) // no job ever waits for the loop
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel() // also when the consumer of the events panics, or the log fails
	for i := range t.jobs {
		out := &outcome{job: &t.jobs[i]}
		running.Go(func() { r.execute(ctx, out, done) })
	}
	runtime.Gosched() // tools that don't wait are done when the loop looks, which is then spared to sleep and be woken
	for got := 0; got < len(t.jobs); {
		select {
		case <-r.in.Control.waiting():
			heard, err := r.hear(ctx, false)
			if err != nil {
				return err
			}
			t.heard = append(t.heard, heard...)
		case first := <-done:
			ready := receive(first, done)
			got += len(ready)
			if err := r.record(ctx, ready, t); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// receive takes the outcomes that are there beside the first one, in call order.
func receive(first *outcome, done <-chan *outcome) []*outcome {
	ready := []*outcome{first}
	for len(done) > 0 {
		ready = append(ready, <-done)
	}
	slices.SortFunc(ready, func(a, b *outcome) int { return cmp.Compare(a.n, b.n) })
	return ready
}

// execute runs the job of an outcome and sends it, whatever the tool does: return, panic, or end its goroutine.
func (r *run) execute(ctx context.Context, out *outcome, done chan<- *outcome) {
	began, returned := time.Now(), false
	defer func() {
		out.took = time.Since(began)
		if p := recover(); p != nil {
			out.result = core.ErrorResult(fmt.Sprintf("the tool %s panicked: %v", out.call.Name, p))
		} else if !returned {
			out.result = core.ErrorResult(fmt.Sprintf("the tool %s ended its goroutine", out.call.Name))
		}
		done <- out
	}()
	res, err := out.tool.Run(ctx, out.call)
	returned = true
	out.used = res.Usage
	switch {
	case err != nil && ctx.Err() != nil:
		out.unknown = true
		return
	case err != nil:
		res = core.ErrorResult(err.Error())
	}
	if hooks := r.cfg.Hooks.AfterTool; len(hooks) > 0 {
		ctx = context.WithoutCancel(ctx) // a hook that is cut short would block a result that is there
		if text, rejected := judge(ctx, hooks, ToolOutcome{ToolUse: r.use(*out.job), Result: res}); rejected {
			res = core.ErrorResult(text)
		}
	}
	out.result = res
}

// record commits outcomes. It does so after a cancellation, too.
func (r *run) record(ctx context.Context, outs []*outcome, t *openTurn) error {
	var recs []journal.Record
	ctx = context.WithoutCancel(ctx)
	for _, o := range outs {
		if o.used != (core.Usage{}) {
			r.charge(o.used)
		}
		r.auditOutcome(o)
		if o.unknown {
			continue
		}
		msg := r.resultMessage(ctx, o)
		t.results[o.n] = msg
		recs = append(recs, msg)
	}
	if len(recs) == 0 {
		return nil
	}
	return r.commit(ctx, recs)
}

// resultMessage makes the message of a result: the one place where a result enters the transcript.
func (r *run) resultMessage(ctx context.Context, o *outcome) core.Message {
	call, res := o.call, o.result
	set, err := normal(res.Set)
	if err != nil {
		res = core.ErrorResult(fmt.Sprintf("the tool %s wrote a state value that can't be kept: %v", call.Name, err))
	}
	part := core.ToolResult{ID: call.ID, Name: call.Name, Text: res.Text, Error: res.IsError}
	for _, img := range res.Images {
		ref, err := r.keep(ctx, img)
		if err != nil {
			part.Text += fmt.Sprintf("\n[an image (%s) is left out: %v]", img.MediaType, err)
			continue
		}
		part.Images = append(part.Images, ref)
	}
	msg := r.message(core.RoleTool, part)
	msg.Set, msg.Delete = set, res.Delete
	if o.used != (core.Usage{}) {
		msg.Usage = &o.used
	}
	if res.EndRun {
		msg.Stop = string(core.StopEndRun)
	}
	return msg
}

// normal returns state values in the journal's form.
func normal(set map[string]any) (map[string]any, error) {
	if len(set) == 0 {
		return nil, nil
	}
	n, err := journal.Normalize(set)
	if err != nil {
		return nil, err
	}
	return n.(map[string]any), nil
}

// keep stores the bytes of an image and returns the reference to them.
func (r *run) keep(ctx context.Context, img core.ImageData) (core.Image, error) {
	if r.in.Blobs == nil {
		return core.Image{}, errors.New("this run keeps no images")
	}
	digest, err := r.in.Blobs.PutBlob(ctx, img.Data)
	if err != nil {
		return core.Image{}, err
	}
	return core.Image{MediaType: img.MediaType, Digest: digest, Size: int64(len(img.Data))}, nil
}
