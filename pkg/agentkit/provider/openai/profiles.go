package openai

import "github.com/plait-dev/plait/pkg/agentkit/provider/internal/oai"

// Profiles returns all profiles. The first is OpenAI's own, the last one for servers that nothing is known about.
func Profiles() []Profile {
	return []Profile{openAI(), openRouter(), deepSeek(), moonshot(), vLLM(), compatible()}
}

// openAI: https://developers.openai.com/api/reference/resources/chat
func openAI() Profile {
	return Profile{
		Name:      "openai",
		BaseURL:   "https://api.openai.com/v1",
		NamesTell: true,
		Limit:     "max_completion_tokens",
		Stores:    true,
		CacheKey:  true,
		Seed:      true,
		MostStops: 4,
		Think:     ThinkEffort,
		Levels:    oai.Levels(),
		Bind:      BindStrict,
	}
}

// openRouter passes requests on to many vendors, and leaves out what the chosen one doesn't take.
// https://openrouter.ai/docs/guides/best-practices/reasoning-tokens
func openRouter() Profile {
	return Profile{
		Name:      "openrouter",
		BaseURL:   "https://openrouter.ai/api/v1",
		Seed:      true,
		Cost:      true,
		MostStops: 4,
		Think:     ThinkObject,
		Levels:    []string{"none", "minimal", "low", "medium", "high", "xhigh"},
		Replay:    ReplayDetails,
		Bind:      BindStrict,
	}
}

// deepSeek refuses a message with calls that comes back without its reasoning, an empty one if there was none.
// https://api-docs.deepseek.com/guides/thinking_mode
func deepSeek() Profile {
	return Profile{
		Name:          "deepseek",
		BaseURL:       "https://api.deepseek.com",
		MostStops:     16,
		NoImages:      true,
		ThinkingFixes: true,
		Think:         ThinkBoth,
		Levels:        oai.Levels(),
		Replay:        ReplayText,
		Demanded:      true,
		Bind:          BindObject,
	}
}

// moonshot demands reasoning as deepSeek does, but takes an empty one for one that is missing.
// https://platform.kimi.ai/docs/guide/use-kimi-k2-thinking-model
func moonshot() Profile {
	return Profile{
		Name:          "moonshot",
		BaseURL:       "https://api.moonshot.ai/v1",
		OtherHost:     "api.moonshot.cn",
		Limit:         "max_completion_tokens",
		CacheKey:      true,
		MostStops:     5,
		FixedSampling: "kimi-",
		Think:         ThinkSwitch,
		Levels:        []string{"none", "low", "medium", "high", "max"},
		EffortModels:  "kimi-k3",
		Replay:        ReplayText,
		Demanded:      true,
		Missing:       " ",
		Bind:          BindStrict,
	}
}

// vLLM is a server of open models. It binds answers while it samples, to any schema.
// https://docs.vllm.ai/en/latest/features/reasoning_outputs.html
func vLLM() Profile {
	return Profile{
		Name:   "vllm",
		Seed:   true,
		Think:  ThinkEffort,
		Levels: []string{"low", "medium", "high"},
		Replay: ReplayText,
	}
}

// compatible sends nothing that servers of this API are known to refuse.
func compatible() Profile {
	return Profile{
		Name:      "openai-compatible",
		Seed:      true,
		MostStops: 4,
		Think:     ThinkEffort,
		Levels:    oai.Levels(),
	}
}
