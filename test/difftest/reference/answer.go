package reference

// Answer is what was read in an answer, in one form for all vendors.
type Answer struct {
	Parts []Part `json:"parts"`
	Stop  string `json:"stop"`
	Usage Usage  `json:"usage"`
}

// The kinds of parts.
const (
	Text     = "text"
	Thinking = "thinking"
	Call     = "call"
)

// The reasons of the end.
const (
	End       = "end"
	ToolUse   = "tool_use"
	MaxTokens = "max_tokens"
	Sequence  = "stop_sequence"
	Refusal   = "refusal"
)

// Part is a piece of an answer. Text is that of texts and reasoning.
type Part struct {
	Kind      string `json:"kind"`
	Text      string `json:"text,omitempty"`
	Signature string `json:"signature,omitempty"`
	Item      string `json:"item,omitempty"`
	Redacted  bool   `json:"redacted,omitempty"`
	ID        string `json:"id,omitempty"`
	Name      string `json:"name,omitempty"`
	Args      string `json:"args,omitempty"`
}

// Usage counts each token once.
type Usage struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead"`
	CacheWrite int64 `json:"cacheWrite"`
}

// Extend adds a piece of text or reasoning to the last part if that is of the same kind and isn't signed.
func (a *Answer) Extend(p Part) {
	if n := len(a.Parts) - 1; n >= 0 && a.Parts[n].Kind == p.Kind && a.Parts[n].Signature == "" {
		a.Parts[n].Text += p.Text
		a.Parts[n].Signature = p.Signature
		return
	}
	if p.Text != "" || p.Signature != "" {
		a.Parts = append(a.Parts, p)
	}
}
