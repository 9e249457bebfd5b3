package google

import (
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// effort is a level of thinking: the vendor's word for it, and the tokens that it stands for where there are no words.
type effort struct {
	word   string
	tokens int64
}

// effort returns what a level asks for. Words and tokens are those that the vendor puts on a par.
func (e *encoder) effort(level string) (effort, bool) {
	most := effort{"HIGH", 24576}
	switch level {
	case "none", "off", "minimal":
		return e.least(level), true
	case "low":
		return effort{"LOW", 1024}, true
	case "medium":
		return effort{"MEDIUM", 8192}, true
	case "high":
		return most, true
	case "xhigh", "max":
		e.Warnf("thinking %q: high is the most that this vendor has, which is sent", level)
		return most, true
	}
	e.Warnf("thinking %q: one of none, minimal, low, medium, high, xhigh and max is expected; the model's default is used", level)
	return effort{}, false
}

// least is as little thinking as a model can be asked for, when no more than the lowest level is wanted. Of 2.5 only the
// large one can't be told not to think, of later ones none can.
func (e *encoder) least(level string) effort {
	g, none := e.wire.generation, level != "minimal"
	least := effort{"LOW", 128}
	switch {
	case g.hasMinimal(e.wire.model):
		least.word = "MINIMAL"
	case g.hasLevels() && !none:
		e.Warnf("thinking %q: the least that the model %s has is low, which is sent", level, e.wire.model)
	}
	switch {
	case !none:
		least.tokens = 512
	case !g.hasLevels() && !strings.Contains(strings.ToLower(e.wire.model), "pro"):
		least.tokens = 0
	default:
		e.Warnf("thinking %q: the model %s always thinks; it is asked to think least", level, e.wire.model)
	}
	return least
}

// think writes the level of thinking, and asks to hear the thoughts.
func (e *encoder) think(w *jsonx.Writer, level string) {
	if level == "" {
		return
	}
	if !e.wire.generation.thinks() {
		if level != "none" && level != "off" {
			e.Warnf("thinking %q: the model %s doesn't think", level, e.wire.model)
		}
		return
	}
	effort, ok := e.effort(level)
	if !ok {
		return
	}
	w.Key("thinkingConfig")
	w.BeginObject()
	if e.wire.generation.hasLevels() {
		w.TextField("thinkingLevel", effort.word)
	} else {
		w.Key("thinkingBudget")
		w.Int(effort.tokens)
	}
	if level != "none" && level != "off" {
		w.Key("includeThoughts")
		w.Bool(true)
	}
	w.EndObject()
}
