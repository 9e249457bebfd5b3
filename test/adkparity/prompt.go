package adkparity

import (
	"regexp"
	"strings"
)

// Prompt is what a model is sent.
type Prompt struct {
	System string
	// Lines are the parts of the messages, each with the role of who says it.
	Lines []string
	// Tools are the names of the tools with their descriptions and the schemas of their arguments.
	Tools []string
	// Schema is that of the answer; nil for text.
	Schema any
}

// last is the text of the last line.
func (p Prompt) last() string {
	if len(p.Lines) == 0 {
		return ""
	}
	_, text, _ := strings.Cut(p.Lines[len(p.Lines)-1], ": ")
	return text
}

// called, gave and failed are lines about tools, alike for both engines.
func called(tool string, args any) string { return "model: calls " + tool + " " + jsonText(args) }

func thought(text string) string { return "model: thinks " + text }

func gave(tool, result string) string { return "tool: " + tool + " gives " + result }

func failed(tool, why string) string { return "tool: " + tool + " fails, " + why }

// identity is the sentence that ADK adds to the system prompt of a chat.
var identity = regexp.MustCompile(`(\n\n)?You are an agent\. Your internal name is "\w+"\.$`)

// The lines that the engines put differently: what an agent is told of others, and why a call wasn't run.
var (
	adkSaid      = regexp.MustCompile(`^user: \[(\w+)\] said: `)
	adkCalled    = regexp.MustCompile(`^user: \[(\w+)\] called tool .(\w+). with parameters: `)
	adkGave      = regexp.MustCompile(`^user: \[(\w+)\] .(\w+). tool returned result: `)
	adkUnknown   = regexp.MustCompile(`(?s)^tool: (\w+) fails, tool '\w+' not found.*`)
	adkArguments = regexp.MustCompile(`(?s)^tool: (\w+) fails, validating .*`)
	ourSaid      = regexp.MustCompile(`^user: For context, the agent (\w+) said:\n`)
	ourCalled    = regexp.MustCompile(`^user: For context, the agent (\w+) called the tool (\w+) with `)
	ourGave      = regexp.MustCompile(`^user: For context, the tool (\w+) answered the agent (\w+):\n`)
	ourUnknown   = regexp.MustCompile(`^tool: (\w+) fails, there is no tool .*`)
	ourArguments = regexp.MustCompile(`^tool: (\w+) fails, not run: the arguments .*`)
)

// wording is a form of lines and the words for it that both engines share.
type wording struct {
	form *regexp.Regexp
	told string
}

func wordings() []wording {
	const said, called, gave = "told: $1 said ", "told: $1 called $2 ", "told: $1 got of $2 "
	const unknown, arguments = "tool: $1 is unknown", "tool: $1 takes other arguments"
	return []wording{
		{adkSaid, said}, {adkCalled, called}, {adkGave, gave}, {adkUnknown, unknown}, {adkArguments, arguments},
		{ourSaid, said}, {ourCalled, called}, {ourGave, "told: $2 got of $1 "}, {ourUnknown, unknown}, {ourArguments, arguments},
	}
}

// neutralLine is a line in words that both engines use for the same.
func neutralLine(line string) string {
	for _, w := range wordings() {
		line = w.form.ReplaceAllString(line, w.told)
	}
	return line
}

// neutral is the prompt without what is declared to be worded differently.
func (p Prompt) neutral() Prompt {
	n := p
	n.System = identity.ReplaceAllString(p.System, "")
	n.Lines = nil
	for _, line := range p.Lines {
		if line == "user: For context:" {
			continue
		}
		n.Lines = append(n.Lines, neutralLine(line))
	}
	return n
}

// neutral are the prompts of all agents, without what is declared to be worded differently.
func neutral(all map[string][]Prompt) map[string][]Prompt {
	out := map[string][]Prompt{}
	for agent, prompts := range all {
		for _, p := range prompts {
			out[agent] = append(out[agent], p.neutral())
		}
	}
	return out
}

// neutralSaid does the same for what was said.
func neutralSaid(said map[string]int) map[string]int {
	out := map[string]int{}
	for key, n := range said {
		place, line, _ := strings.Cut(key, ": ")
		at := strings.LastIndexByte(place, ' ') + 1
		out[place[:at]+neutralLine(place[at:]+": "+line)] += n
	}
	return out
}
