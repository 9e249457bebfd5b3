package workflow

import (
	"crypto/sha256"
	"encoding/base32"
	"maps"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// ownSession is the session that an isolated activation has to itself. It is part of the session of its run: one log keeps
// both, so that what happens in either is one transition, and nobody but the run owns it.
type ownSession struct {
	*values
	id string
}

// isolate opens the session of an activation whose node is isolated: with a copy of the plain state around it.
func (a *activation) isolate() {
	if !a.def.cfg.Isolated {
		return
	}
	state := maps.Clone(a.in.values().snapshot())
	maps.DeleteFunc(state, func(key string, _ any) bool { return !journal.IsPlain(key) })
	a.own = &ownSession{values: a.in.run.state.isolated(state), id: a.in.run.ownSessionID(a.path)}
	a.ctx.state.shared = a.own.values
}

// maxSessionID is what [journal.CheckSessionID] allows.
const maxSessionID = 128

// ownSessionID is the id of the session of an isolated activation. It is the same after a restart, and in a run that
// retries the one in which the activation began.
func (r *run) ownSessionID(path string) string {
	session := r.session.ID
	sum := sha256.Sum256([]byte(session + "\n" + r.first() + "\n" + path))
	id := "." + strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:16])
	return session[:min(len(session), maxSessionID-len(id))] + id
}

// isolated is the innermost isolated activation that this one is or belongs to; nil in the session of the run.
func (a *activation) isolated() *activation {
	for ; a != nil; a = a.in.owner {
		if a.own != nil {
			return a
		}
	}
	return nil
}

// within is the path of the isolated activation, as records name it; empty in the session of the run.
func (a *activation) within() string {
	if i := a.isolated(); i != nil {
		return i.path
	}
	return ""
}

// values are the committed state that an activation works on.
func (a *activation) values() *values {
	if i := a.isolated(); i != nil {
		return i.own.values
	}
	return a.in.run.state
}

// values are the committed state that the activations of an instance work on, but for isolated ones.
func (in *instance) values() *values {
	if in.owner == nil {
		return in.run.state
	}
	return in.owner.values()
}

// innerBranch is the branch of the transcript that the inside of an activation is on: a session of its own has its own
// trunk.
func (a *activation) innerBranch() string {
	if a.own != nil {
		return ""
	}
	return a.branch
}

// view is what an activation sees of the messages in the log.
func (r *run) view(a *activation) journal.View {
	v := journal.View{Branch: a.innerBranch(), Within: a.within()}
	if v.Within != "" {
		v.Runs = append([]string{r.id}, r.lineage...)
	}
	return v
}

// sharedOnly are the writes that reach beyond an isolated activation.
func (d delta) sharedOnly() delta {
	shared := delta{}
	for key, value := range d {
		if journal.IsShared(key) {
			shared[key] = value
		}
	}
	return shared
}
