package a2a_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	protocol "github.com/a2aproject/a2a-go/v2/a2a"
)

// methods are all of the protocol that name a task or a context, each reduced to its error.
func methods() map[string]func(ctx context.Context, c *client, context, task string) error {
	streamed := func(events func(func(protocol.Event, error) bool)) error {
		for _, err := range events {
			return err
		}
		return errors.New("the stream is empty")
	}
	return map[string]func(ctx context.Context, c *client, contextID, task string) error{
		"GetTask": func(ctx context.Context, c *client, _, task string) error {
			_, err := c.GetTask(ctx, &protocol.GetTaskRequest{ID: protocol.TaskID(task)})
			return err
		},
		"CancelTask": func(ctx context.Context, c *client, _, task string) error {
			_, err := c.CancelTask(ctx, &protocol.CancelTaskRequest{ID: protocol.TaskID(task)})
			return err
		},
		"SubscribeToTask": func(ctx context.Context, c *client, _, task string) error {
			return streamed(c.SubscribeToTask(ctx, &protocol.SubscribeToTaskRequest{ID: protocol.TaskID(task)}))
		},
		"SendMessage to the task": func(ctx context.Context, c *client, _, task string) error {
			_, err := c.SendMessage(ctx, message("hello", forTask(protocol.TaskID(task))))
			return err
		},
		"SendMessage in the context": func(ctx context.Context, c *client, contextID, _ string) error {
			_, err := c.SendMessage(ctx, message("hello", inContext(contextID)))
			return err
		},
		"SendMessage to both": func(ctx context.Context, c *client, contextID, task string) error {
			_, err := c.SendMessage(ctx, message("hello", forTask(protocol.TaskID(task)), inContext(contextID)))
			return err
		},
		"SendStreamingMessage to the task": func(ctx context.Context, c *client, _, task string) error {
			return streamed(c.SendStreamingMessage(ctx, message("hello", forTask(protocol.TaskID(task)))))
		},
		"SendStreamingMessage in the context": func(ctx context.Context, c *client, contextID, _ string) error {
			return streamed(c.SendStreamingMessage(ctx, message("hello", inContext(contextID))))
		},
	}
}

// What belongs to another principal is answered like what isn't there, by every method, whatever its state.
func TestOthers_tasks_and_contexts_are_not_there(t *testing.T) {
	l := newLab(t, "")
	ann := l.ann(t)
	over, busy := ann.send(t, message("hello")), l.begin(t, ann)
	for _, transport := range transports() {
		bob := l.client(t, "bob", transport)
		for name, call := range methods() {
			absent := call(bob.as(t.Context()), bob, "s_NOSUCH", "r_NOSUCH")
			if !errors.Is(absent, protocol.ErrTaskNotFound) {
				t.Errorf("%s %s of what isn't there: %v", transport, name, absent)
				continue
			}
			for state, task := range map[string]*protocol.Task{"over": over, "busy": busy} {
				err := call(bob.as(t.Context()), bob, task.ContextID, string(task.ID))
				if !errors.Is(err, protocol.ErrTaskNotFound) || anonymous(err, task) != anonymous(absent, nil) {
					t.Errorf("%s %s of another's task that is %s: %v; of none: %v", transport, name, state, err, absent)
				}
			}
		}
	}
	if len(l.runs.Runs("bob")) != 0 {
		t.Error("bob has begun a run")
	}
	if got := ann.get(t, busy.ID); got.Status.State != protocol.TaskStateWorking {
		t.Errorf("the task of ann is %s", got.Status.State)
	}
}

// anonymous is an error without the ids that were asked for.
func anonymous(err error, task *protocol.Task) string {
	ids := []string{"s_NOSUCH", "", "r_NOSUCH", ""}
	if task != nil {
		ids = []string{task.ContextID, "", string(task.ID), ""}
	}
	return strings.NewReplacer(ids...).Replace(err.Error())
}

func TestListTasks_of_others(t *testing.T) {
	l := newLab(t, "")
	task := l.ann(t).send(t, message("hello"))
	for _, transport := range transports() {
		bob := l.client(t, "bob", transport)
		for _, contextID := range []string{"", task.ContextID, "s_NOSUCH"} {
			page, err := bob.ListTasks(bob.as(t.Context()), &protocol.ListTasksRequest{ContextID: contextID})
			if err != nil || len(page.Tasks) != 0 || page.TotalSize != 0 || page.NextPageToken != "" {
				t.Errorf("%s: the list of context %q is %+v, %v", transport, contextID, page, err)
			}
		}
	}
}

// What this release doesn't have is refused for everybody alike, and without saying whether the task is there.
func TestUnsupported(t *testing.T) {
	l := newLab(t, "")
	task := l.ann(t).send(t, message("hello"))
	for _, transport := range transports() {
		for _, principal := range []string{"ann", "bob"} {
			c := l.client(t, principal, transport)
			ctx := c.as(t.Context())
			_, get := c.GetTaskPushConfig(ctx, &protocol.GetTaskPushConfigRequest{TaskID: task.ID, ID: "x"})
			_, list := c.ListTaskPushConfigs(ctx, &protocol.ListTaskPushConfigRequest{TaskID: task.ID})
			_, create := c.CreateTaskPushConfig(ctx, &protocol.PushConfig{TaskID: task.ID, URL: "http://example.com"})
			remove := c.DeleteTaskPushConfig(ctx, &protocol.DeleteTaskPushConfigRequest{TaskID: task.ID, ID: "x"})
			for name, err := range map[string]error{"get": get, "list": list, "create": create, "delete": remove} {
				if !errors.Is(err, protocol.ErrPushNotificationNotSupported) {
					t.Errorf("%s %s %s: %v", transport, principal, name, err)
				}
			}
			if _, err := c.GetExtendedAgentCard(ctx, &protocol.GetExtendedAgentCardRequest{}); !errors.Is(err, protocol.ErrUnsupportedOperation) {
				t.Errorf("%s %s extended card: %v", transport, principal, err)
			}
		}
	}
}
