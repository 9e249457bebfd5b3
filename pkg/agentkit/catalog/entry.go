package catalog

import "github.com/plait-dev/plait/pkg/agentkit/cost"

// The vendors whose models are listed.
const (
	Anthropic = "anthropic"
	DeepSeek  = "deepseek"
	Google    = "google"
	Moonshot  = "moonshot"
	OpenAI    = "openai"
)

// Modality is a kind of content.
type Modality string

// The modalities.
const (
	Text  Modality = "text"
	Image Modality = "image"
)

// Entry is what is known of a model. A zero field isn't known.
type Entry struct {
	// Vendor and ID are whose model it is and the vendor's name of it. Aliases are other names of the same model.
	Vendor  string
	ID      string
	Aliases []string

	// ContextWindow is how many tokens prompt and answer may have together, MaxOutput how many the answer may have.
	ContextWindow int64
	MaxOutput     int64

	// Input and Output are the modalities that the model reads and writes.
	Input  []Modality
	Output []Modality

	// Efforts are the levels of thinking that the model can be asked for, from the least on (see [Efforts]); "none" is
	// among them when it can be told not to think. Nil means that they aren't known, or that the model is told in tokens.
	Efforts []string

	// Tariff is what the vendor's own API charges.
	Tariff cost.Tariff

	// Source is where this was read, and Read the day on which it was.
	Source string
	Read   string

	// Secondhand says that the source isn't the vendor: others read its pages, and may be behind.
	Secondhand bool
}
