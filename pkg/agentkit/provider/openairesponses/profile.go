package openairesponses

import "github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"

// Profile is what a vendor does differently from the others that speak this API. Its zero fields are what most do.
type Profile struct {
	// Name is the profile's key in configurations. None of the chat API's has it.
	Name string

	// BaseURL is the vendor's; empty when there is none.
	BaseURL string

	// NamesTell says that the vendor's names of models are OpenAI's, so that they tell what a model takes.
	NamesTell bool

	// Encrypted says that reasoning comes encrypted, and is asked for so. Otherwise it comes as text and goes back as such.
	Encrypted bool

	// CacheKey says that there is a prompt_cache_key.
	CacheKey bool

	// LeastLimit is the smallest bound of the output that is taken.
	LeastLimit int

	// NoImages says that there is text only.
	NoImages bool

	// ThinkingFixes says that models ignore temperature and top_p while they think, which they do unless they are told not
	// to.
	ThinkingFixes bool

	// Levels are the levels of thinking.
	Levels []string

	// ToolSearch says that models search for deferred tools.
	ToolSearch bool

	// Strict says that schemas of OpenAI's part of JSON Schema can be enforced and others are a hint; without it, all can be.
	Strict bool
}

// ProfileAt returns the profile of the vendor whose host is in a base URL, or OpenAI's own.
func ProfileAt(baseURL string) Profile {
	return oai.OfVendor(baseURL, Profiles(), func(p Profile) []string { return []string{p.BaseURL} })
}

// ProfileNamed returns a profile by its key.
func ProfileNamed(name string) (Profile, error) {
	return oai.Named(name, Profiles(), func(p Profile) string { return p.Name })
}

// Profiles returns all profiles. The first is OpenAI's own.
func Profiles() []Profile { return []Profile{openAI(), deepSeek(), vLLM()} }

// openAI: https://developers.openai.com/api/reference/resources/responses
func openAI() Profile {
	return Profile{
		Name:       "openai-responses",
		BaseURL:    "https://api.openai.com/v1",
		NamesTell:  true,
		Encrypted:  true,
		CacheKey:   true,
		LeastLimit: 16,
		Levels:     oai.Levels(),
		Strict:     true,
		ToolSearch: true,
	}
}

// deepSeek: https://api-docs.deepseek.com/api/create-response
func deepSeek() Profile {
	return Profile{
		Name:          "deepseek-responses",
		BaseURL:       "https://api.deepseek.com",
		NoImages:      true,
		ThinkingFixes: true,
		Levels:        oai.Levels(),
	}
}

// vLLM: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
func vLLM() Profile {
	return Profile{
		Name:   "vllm-responses",
		Levels: []string{"low", "medium", "high"},
	}
}
