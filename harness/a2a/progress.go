package a2a

import (
	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/workflow"
)

// nodeKey is the metadata that says which activation of the graph an update is about.
const nodeKey = "plait.dev/node"

// progress turns the events of a run into those of its task, for a client that has seen all before.
type progress struct {
	a2a.TaskInfo
	outline intake.Outline

	outputs map[string]any         // of terminals, by node
	sent    map[a2a.ArtifactID]any // the values of artifacts
	writing map[string]int         // by activation: the attempt whose text is the end of the preview
	ended   map[string]bool        // activations
}

func newProgress(info journal.RunInfo, o intake.Outline) *progress {
	return &progress{
		TaskInfo: a2a.TaskInfo{TaskID: a2a.TaskID(info.Run), ContextID: info.Session},
		outline:  o,
		outputs:  map[string]any{},
		sent:     map[a2a.ArtifactID]any{},
		writing:  map[string]int{},
		ended:    map[string]bool{},
	}
}

// catchUp takes note of what a client has been told by the task itself.
func (p *progress) catchUp(r *journal.RunState, outputs []output) {
	for _, a := range r.Activations {
		p.ended[a.Path] = !a.State.Live()
	}
	for _, out := range outputs {
		p.outputs[out.node] = out.value
	}
	for _, out := range outputs {
		p.sent[out.artifact(nameOutputs(outputs, p.outline)).ID] = out.value
	}
}

// updates are what a client is told of an event.
func (p *progress) updates(e workflow.Event) []a2a.Event {
	switch e.Kind {
	case workflow.RunStarted, workflow.RunResumed:
		return []a2a.Event{p.status(e, journal.Running, "")}
	case workflow.Progressed:
		return p.shown(e)
	case workflow.MessageAdded:
		delete(p.writing, e.Path) // a turn is over, the text of the next one takes its place
	case workflow.NodeCompleted:
		return p.completed(e)
	case workflow.RunSuspended:
		stop, _ := e.Record.(journal.Stop)
		return []a2a.Event{p.status(e, journal.Suspended, suspension(stop.Why))}
	case workflow.RunWaiting:
		update := p.status(e, journal.Waiting, "")
		update.Status.Message = questionsMessage(p.TaskInfo, e.Interrupts)
		return []a2a.Event{update}
	case workflow.RunCompleted, workflow.RunFailed, workflow.RunCanceled:
		done, _ := e.Record.(journal.Done)
		update := p.status(e, done.Status, ending(done))
		blame(update.Status.Message, done.Err)
		return []a2a.Event{update}
	case workflow.NodeStarted, workflow.NodeRetrying, workflow.NodeFailed, workflow.NodeCanceled, workflow.NoteTaken,
		workflow.CallIntended, workflow.NodeWaiting:
		// How the graph works isn't the client's business.
	}
	return nil
}

func (p *progress) status(e workflow.Event, s journal.Status, explanation string) *a2a.TaskStatusUpdateEvent {
	return &a2a.TaskStatusUpdateEvent{TaskID: p.TaskID, ContextID: p.ContextID, Status: status(p.TaskInfo, s, explanation, e.At)}
}

// shown tells of a sign of life: the text of a terminal is a piece of its artifact, other text is a remark.
func (p *progress) shown(e workflow.Event) []a2a.Event {
	if e.Progress == nil || e.Progress.Text == "" || p.ended[e.Path] {
		return nil
	}
	t, terminal := p.outline.Terminal(e.Node)
	if !terminal || !t.Text || journal.InstanceOf(e.Path) != "" {
		update := p.status(e, journal.Running, "")
		update.Status.Message = remark(p.TaskInfo, a2a.NewMessageID(), e.Progress.Text)
		update.Metadata = map[string]any{nodeKey: e.Path}
		return []a2a.Event{update}
	}
	attempt, goesOn := p.writing[e.Path]
	p.writing[e.Path] = e.Attempt
	return []a2a.Event{&a2a.TaskArtifactUpdateEvent{
		TaskID:    p.TaskID,
		ContextID: p.ContextID,
		Append:    goesOn && attempt == e.Attempt,
		Artifact:  &a2a.Artifact{ID: previewOf(t, p.outline), Parts: a2a.ContentParts{a2a.NewTextPart(e.Progress.Text)}},
	}}
}

// completed tells of the artifacts that the end of an activation brings about or changes.
func (p *progress) completed(e workflow.Event) []a2a.Event {
	p.ended[e.Path] = true
	if _, terminal := p.outline.Terminal(e.Node); !terminal || journal.InstanceOf(e.Path) != "" {
		return nil
	}
	p.outputs[e.Node] = e.Output
	outputs := inOrder(p.outputs, p.outline)
	var updates []a2a.Event
	for _, out := range outputs {
		a := out.artifact(nameOutputs(outputs, p.outline))
		if before, sent := p.sent[a.ID]; sent && journal.Equal(before, out.value) {
			continue
		}
		p.sent[a.ID] = out.value
		updates = append(updates, &a2a.TaskArtifactUpdateEvent{TaskID: p.TaskID, ContextID: p.ContextID, Artifact: a, LastChunk: true})
	}
	return updates
}
