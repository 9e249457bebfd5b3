package openai

import "github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"

// Profile is what a vendor does differently from the others that speak this API. Its zero fields are what most do.
type Profile struct {
	// Name is the profile's key in configurations. The keys of the Responses API are others: the two have nothing in
	// common that a profile could say.
	Name string

	// BaseURL is the vendor's; empty when there is none. OtherHost is one that it has as well.
	BaseURL   string
	OtherHost string

	// NamesTell says that the vendor's names of models are OpenAI's, so that they tell what a model takes.
	NamesTell bool

	// Limit is the member that bounds the output; empty means max_tokens.
	Limit string

	// Stores says that the vendor may keep requests unless it is told not to.
	Stores bool

	// CacheKey says that there is a prompt_cache_key, Seed that there is a seed, and Cost that the vendor reports what a
	// call cost in US dollars.
	CacheKey bool
	Seed     bool
	Cost     bool

	// NoStops says that there are no stop sequences. MostStops bounds them; 0: no bound is known.
	NoStops   bool
	MostStops int

	// NoImages says that messages hold text only.
	NoImages bool

	// FixedSampling is how names of models begin that don't take temperature and top_p. ThinkingFixes says that models
	// ignore both while they think, which they do unless they are told not to.
	FixedSampling string
	ThinkingFixes bool

	// Think is how a level of thinking is said, and Levels are those that exist. EffortModels is how names of models begin
	// for which it is said as ThinkEffort, whatever Think is.
	Think        Think
	Levels       []string
	EffortModels string

	// Replay is how reasoning is given back. Demanded says that a message with calls is refused without it, and Missing
	// what stands for reasoning that isn't there, because another model wrote the message.
	Replay   Replay
	Demanded bool
	Missing  string

	// Bind is how an answer is held to a schema.
	Bind Bind
}

// Think is how a level of thinking is said.
type Think string

// The ways.
const (
	ThinkEffort Think = "effort" // "reasoning_effort": "high"
	ThinkObject Think = "object" // "reasoning": {"effort": "high"}
	ThinkSwitch Think = "switch" // "thinking": {"type": "enabled"}: on or off, without levels
	ThinkBoth   Think = "both"   // the switch and, when it is on, the effort
)

// Replay is how reasoning is given back.
type Replay string

// The ways.
const (
	ReplayNone    Replay = ""        // not at all
	ReplayText    Replay = "text"    // as text, in the member that it came in
	ReplayDetails Replay = "details" // as the array reasoning_details, unchanged
)

// Bind is how an answer is held to a schema.
type Bind string

// The ways.
const (
	BindSchema Bind = ""       // any schema can be enforced
	BindStrict Bind = "strict" // schemas of OpenAI's part of JSON Schema can be, others are a hint
	BindObject Bind = "object" // the answer is a JSON object, the schema is asked for in words
)

// ProfileAt returns the profile of the vendor whose host is in a base URL, or OpenAI's own.
func ProfileAt(baseURL string) Profile {
	return oai.OfVendor(baseURL, Profiles(), func(p Profile) []string { return []string{p.BaseURL, p.OtherHost} })
}

// ProfileNamed returns a profile by its key.
func ProfileNamed(name string) (Profile, error) {
	return oai.Named(name, Profiles(), func(p Profile) string { return p.Name })
}

// idCharacters are those that an id may have beside letters, digits, "_" and "-". Kimi's own ids are functions.find:0, and
// servers of open models write them into the prompt as they are.
func (p Profile) idCharacters() string {
	if p.NamesTell {
		return ""
	}
	return ".:"
}
