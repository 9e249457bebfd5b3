package google_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/google"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wiretest"
)

func TestWire(t *testing.T) { wiretest.Run(t, dialect()) }

func dialect() wiretest.Dialect {
	return wiretest.Dialect{
		New:        func(o provider.Options) (core.Model, error) { return google.New(google.Options{Options: o}) },
		Framing:    provider.FramingSSE,
		Stream:     stream,
		Whole:      whole,
		Unknown:    event(`{"galaxy":{"parts":[{"text":"NO"}]},"modelVersion":"x"}`),
		Overloaded: event(`{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}`),
		Stops: map[string]core.StopReason{"STOP": core.StopEnd, "MAX_TOKENS": core.StopMaxTokens,
			"CONTINUATION": core.StopMaxTokens, "SAFETY": core.StopRefusal, "RECITATION": core.StopRefusal,
			"LANGUAGE": core.StopRefusal, "BLOCKLIST": core.StopRefusal, "PROHIBITED_CONTENT": core.StopRefusal,
			"SPII": core.StopRefusal, "IMAGE_SAFETY": core.StopRefusal, "IMAGE_PROHIBITED_CONTENT": core.StopRefusal,
			"IMAGE_RECITATION": core.StopRefusal},
		Sent:      sent,
		Check:     check,
		Adapt:     adapt,
		AdaptSent: adaptSent,
		NoCutArgs: true,
	}
}

// adapt: the vendor has no word for withheld reasoning, only a thought without text, and it doesn't count what it writes
// to the cache.
func adapt(a core.Answer) core.Answer {
	parts := make([]core.Part, 0, len(a.Parts))
	for _, p := range a.Parts {
		if thought, ok := p.(core.Thinking); ok {
			thought.Redacted = false
			p = thought
		}
		parts = append(parts, p)
	}
	a.Parts = parts
	a.Usage.Input += a.Usage.CacheWrite
	a.Usage.CacheWrite = 0
	return a
}

func adaptSent(said []wiretest.Said) []wiretest.Said {
	for i := range said {
		if thought, ok := said[i].Part.(core.Thinking); ok {
			thought.Redacted = false
			said[i].Part = thought
		}
	}
	return said
}

func event(data string) []byte { return []byte("data: " + data + "\r\n\r\n") }

func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func stopWord(a wiretest.Answer) string {
	if a.StopWord != "" {
		return a.StopWord
	}
	return map[core.StopReason]string{core.StopEnd: "STOP", core.StopToolUse: "STOP", core.StopMaxTokens: "MAX_TOKENS"}[a.Stop]
}

// usage: a third of the output was thought, and members that are zero are left out.
func usage(u core.Usage) string {
	prompt, thoughts := u.Input+u.CacheRead+u.CacheWrite, u.Output/3
	members := fmt.Sprintf(`"promptTokenCount":%d,"candidatesTokenCount":%d,"totalTokenCount":%d`,
		prompt, u.Output-thoughts, prompt+u.Output)
	if u.CacheRead > 0 {
		members += fmt.Sprintf(`,"cachedContentTokenCount":%d`, u.CacheRead)
	}
	return members + fmt.Sprintf(`,"thoughtsTokenCount":%d`, thoughts)
}

func candidate(parts, finish string) string {
	return `{"candidates":[{"content":{"parts":[` + parts + `],"role":"model"}` + finish + `,"index":0}]`
}

// pieces are the parts of an answer. Texts come in pieces, the last with the signature, calls come whole.
func pieces(p core.Part, cut func(string) []string) []string {
	var all []string
	say := func(text, more, signature string) {
		for i, piece := range cut(text) {
			if i == len(cut(text))-1 && signature != "" {
				more += `,"thoughtSignature":` + quote(signature)
			}
			all = append(all, `{"text":`+quote(piece)+more+`}`)
		}
	}
	switch p := p.(type) {
	case core.Text:
		say(p.Text, "", p.Signature)
	case core.Thinking:
		say(p.Text, `,"thought":true`, p.Signature)
	case core.ToolCall:
		all = append(all, fmt.Sprintf(`{"functionCall":{"name":%q,"args":%s,"id":%q}}`, p.Name, p.Args, p.ID))
	}
	return all
}

func stream(a wiretest.Answer) [][]byte {
	begun := a.Usage
	begun.Output = 0
	var events [][]byte
	for _, p := range a.Parts {
		for _, piece := range pieces(p, wiretest.Halves) {
			events = append(events, event(candidate(piece, "")+`,"usageMetadata":{`+usage(begun)+`},"modelVersion":"x"}`))
		}
	}
	finish := fmt.Sprintf(`,"finishReason":%q`, stopWord(a))
	return append(events, event(candidate(`{"text":""}`, finish)+`,"usageMetadata":{`+usage(a.Usage)+`},"modelVersion":"x"}`))
}

func whole(a wiretest.Answer) []byte {
	var parts []string
	for _, p := range a.Parts {
		parts = append(parts, pieces(p, func(text string) []string { return []string{text} })...)
	}
	finish := fmt.Sprintf(`,"finishReason":%q`, stopWord(a))
	return []byte(candidate(strings.Join(parts, ","), finish) + `,"usageMetadata":{` + usage(a.Usage) + `}}`)
}

// request is the API's request body.
type request struct {
	SystemInstruction struct {
		Parts []item `json:"parts"`
	} `json:"systemInstruction"`
	Tools []struct {
		FunctionDeclarations []struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			Schema      json.RawMessage `json:"parametersJsonSchema"`
		} `json:"functionDeclarations"`
	} `json:"tools"`
	Config struct {
		MIMEType string          `json:"responseMimeType"`
		Schema   json.RawMessage `json:"responseJsonSchema"`
	} `json:"generationConfig"`
	Contents []struct {
		Role  string `json:"role"`
		Parts []item `json:"parts"`
	} `json:"contents"`
}

// item is a part of any kind.
type item struct {
	Text      *string `json:"text"`
	Thought   bool    `json:"thought"`
	Signature string  `json:"thoughtSignature"`
	Inline    *struct {
		MIMEType string `json:"mimeType"`
		Data     string `json:"data"`
	} `json:"inlineData"`
	Call *struct {
		ID   string          `json:"id"`
		Name string          `json:"name"`
		Args json.RawMessage `json:"args"`
	} `json:"functionCall"`
	Response *struct {
		ID       string            `json:"id"`
		Name     string            `json:"name"`
		Response map[string]string `json:"response"`
		Parts    []item            `json:"parts"`
	} `json:"functionResponse"`
}

func (i item) said(role core.Role) wiretest.Said {
	switch {
	case i.Call != nil:
		return wiretest.Said{Role: role, Part: core.ToolCall{ID: i.Call.ID, Name: i.Call.Name, Args: string(i.Call.Args), Signature: i.Signature}}
	case i.Inline != nil:
		return wiretest.Said{Role: role, Part: core.Image{MediaType: i.Inline.MIMEType, Digest: i.Inline.Data}}
	case i.Response != nil:
		text, failed := i.Response.Response["error"]
		r := core.ToolResult{ID: i.Response.ID, Text: text + i.Response.Response["output"], Error: failed}
		for _, shown := range i.Response.Parts {
			r.Images = append(r.Images, shown.said(role).Part.(core.Image))
		}
		return wiretest.Said{Role: core.RoleTool, Part: r}
	case i.Text == nil:
		return wiretest.Said{Role: role}
	case i.Thought:
		return wiretest.Said{Role: role, Part: core.Thinking{Text: *i.Text, Signature: i.Signature}}
	}
	return wiretest.Said{Role: role, Part: core.Text{Text: *i.Text, Signature: i.Signature}}
}

func parse(body []byte) (request, error) {
	var r request
	err := json.Unmarshal(body, &r)
	return r, err
}

func sent(body []byte) (wiretest.Sent, error) {
	r, err := parse(body)
	if err != nil {
		return wiretest.Sent{}, err
	}
	s := wiretest.Sent{Schema: string(r.Config.Schema)}
	for _, p := range r.SystemInstruction.Parts {
		s.System += *p.Text
	}
	for _, tools := range r.Tools {
		for _, f := range tools.FunctionDeclarations {
			s.Tools = append(s.Tools, core.Spec{Name: f.Name, Description: f.Description, InputSchema: f.Schema})
		}
	}
	for _, c := range r.Contents {
		for _, p := range c.Parts {
			s.Said = append(s.Said, p.said(map[string]core.Role{"user": core.RoleUser, "model": core.RoleModel}[c.Role]))
		}
	}
	return s, nil
}

// check applies the rules of the API that a transcript can break.
func check(body []byte) error {
	r, err := parse(body)
	if err != nil {
		return err
	}
	if n := len(r.Contents); n == 0 || r.Contents[0].Role != "user" || r.Contents[n-1].Role != "user" {
		return errors.New("contents have to begin and end with the user's")
	}
	if (len(r.Config.Schema) > 0) != (r.Config.MIMEType == "application/json") {
		return errors.New("a schema and its MIME type go together")
	}
	due := 0
	for i, c := range r.Contents {
		calls, results, err := checkParts(c.Parts)
		switch {
		case err != nil:
			return fmt.Errorf("content %d: %w", i, err)
		case len(c.Parts) == 0 || c.Role != "user" && c.Role != "model":
			return fmt.Errorf("content %d: no parts, or the role %q", i, c.Role)
		case results != due || results > 0 && results != len(c.Parts):
			return fmt.Errorf("content %d: %d results stand among %d parts behind %d calls", i, results, len(c.Parts), due)
		case calls > 0 && c.Role != "model" || i > 0 && c.Role == "model" && r.Contents[i-1].Role == "model":
			return fmt.Errorf("content %d: the role %s", i, c.Role)
		}
		due = calls
	}
	return nil
}

// checkParts checks the parts of a content, and counts its calls and results.
func checkParts(parts []item) (calls, results int, err error) {
	for _, p := range parts {
		switch {
		case p.Call != nil:
			calls++
			if len(p.Call.Args) == 0 || p.Call.Args[0] != '{' || p.Call.Name == "" {
				return 0, 0, fmt.Errorf("a call without a name, or its args %s aren't an object", p.Call.Args)
			}
		case p.Response != nil:
			results++
			if p.Response.Name == "" || len(p.Response.Response) == 0 {
				return 0, 0, errors.New("a result without a name or response")
			}
		case p.Text == nil && p.Inline == nil:
			return 0, 0, errors.New("a part holds nothing")
		case p.Text != nil && *p.Text == "" && p.Signature == "":
			return 0, 0, errors.New("a text is empty")
		}
	}
	return calls, results, nil
}
