package oai

import (
	"strconv"
	"strings"
)

// Model is what the name of one of OpenAI's models tells. The zero Model is one whose name tells nothing, as with the
// names of a gateway; it is taken for one that accepts everything.
type Model struct {
	version int  // in tenths: 35, 40, 41, 50, 54; the o-series stands before 5
	plain   bool // it doesn't reason
	rests   bool // it is of version 6 and can be told not to reason
}

// oSeries is the version of o1, o3 and o4-mini.
const oSeries = 49

// ModelOf reads a name such as gpt-4o-mini, gpt-5.4-2026-03-05, o3, chatgpt-4o-latest, or ft:gpt-4.1:org::id.
func ModelOf(name string) Model {
	name = strings.ToLower(name)
	name = strings.TrimPrefix(name[strings.LastIndexByte(name, '/')+1:], "ft:")
	name = strings.TrimPrefix(name, "chat")
	if len(name) > 1 && name[0] == 'o' && digit(name[1]) {
		return Model{version: oSeries}
	}
	rest, ok := strings.CutPrefix(name, "gpt-")
	if !ok || rest == "" || !digit(rest[0]) {
		return Model{}
	}
	number := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789."))]
	version, err := strconv.ParseFloat(strings.TrimSuffix(number, "."), 64)
	if err != nil || version >= 100 {
		return Model{}
	}
	m := Model{version: int(version*10 + 0.5)}
	m.plain = m.version < oSeries || m.version == 50 && strings.Contains(rest, "-chat")
	m.rests = m.version == 60 && !strings.Contains(rest, "astra")
	return m
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// Plain says that the model doesn't reason: it knows no effort and has no reasoning to give back.
func (m Model) Plain() bool { return m.plain }

// Samples says whether the model takes temperature and top_p at that effort, which is empty for the model's own. Models
// that reason take neither while they do; those from 5.1 to 5.4 don't unless they are told to.
func (m Model) Samples(effort string) bool {
	switch {
	case m.version == 0 || m.plain:
		return true
	case effort == "":
		return 51 <= m.version && m.version <= 54
	}
	return effort == "none" && m.version > 50
}

// Stops says whether the model takes stop sequences; those that reason don't.
func (m Model) Stops() bool { return m.version == 0 || m.plain }

// ToolsOrThought says that behind the chat API the model refuses tools unless its reasoning is switched off. (Later models
// than GPT-6 Sol and Luna can't switch it off, so there is nothing to do for them: the vendor's error names the other API.)
func (m Model) ToolsOrThought() bool { return 54 <= m.version && m.version < 60 || m.rests }

// Searches says whether the model can search for deferred tools.
func (m Model) Searches() bool { return m.version == 0 || m.version >= 54 }
