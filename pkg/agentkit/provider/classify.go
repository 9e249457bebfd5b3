package provider

import (
	"strconv"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
)

// classify decides by the vendor's words before it decides by the status: several vendors send one status for many things.
func classify(e *core.ProviderError) core.ErrorClass {
	class := classOfStatus(e.Status)
	if code, err := strconv.Atoi(e.Code); err == nil && class == "" {
		class = classOfStatus(code) // a gateway's answer with status 200 has the vendor's own within
	}
	if c := classOfWord(e.Code); c != "" {
		class = c
	} else if c := classOfWord(e.Type); c != "" {
		class = c
	}
	// The length of a request has no word of its own on most wires, and no vendor calls it something that passes.
	switch class {
	case core.ClassBadRequest, "":
		if c := classOfMessage(e.Message); c != "" {
			return c
		}
	default: // the words are exact enough
	}
	if class == "" {
		return core.ClassUnavailable // an error within an answer that says nothing about itself
	}
	return class
}

// classOfStatus is empty for a status that isn't an error.
func classOfStatus(status int) core.ErrorClass {
	switch {
	case status < 300:
		return ""
	case status == 401 || status == 403:
		return core.ClassAuth
	case status == 402:
		return core.ClassQuota
	case status == 408 || status == 409:
		return core.ClassUnavailable
	case status == 413:
		return core.ClassContext
	case status == 429:
		return core.ClassRateLimited
	case status == 503 || status == 529:
		return core.ClassOverloaded
	case status >= 500:
		return core.ClassUnavailable
	}
	return core.ClassBadRequest
}

// classOfWord knows the types, codes and statuses of the vendors; the words don't contradict each other.
func classOfWord(word string) core.ErrorClass {
	switch strings.ToLower(word) {
	case "rate_limit_error", "rate_limit_exceeded", "too_many_requests", "resource_exhausted", "tokens", "requests":
		return core.ClassRateLimited
	case "overloaded_error", "engine_overloaded", "server_is_overloaded", "slow_down", "unavailable", "service_unavailable":
		return core.ClassOverloaded
	case "api_error", "server_error", "internal_server_error", "internal", "timeout_error", "deadline_exceeded", "aborted":
		return core.ClassUnavailable
	case "authentication_error", "permission_error", "invalid_api_key", "unauthenticated", "permission_denied":
		return core.ClassAuth
	case "billing_error", "insufficient_quota", "billing_hard_limit_reached", "billing_not_active":
		return core.ClassQuota
	case "context_length_exceeded", "request_too_large", "string_above_max_length", "model_context_window_exceeded":
		return core.ClassContext
	case "content_filter", "content_policy_violation", "prohibited_content", "safety", "responsibleaipolicyviolation",
		"invalid_prompt", "bio_policy", "cyber_policy_violation", "misalignment_policy_violation",
		"image_content_policy_violation":
		return core.ClassContentPolicy
	case "invalid_request_error", "not_found_error", "model_not_found", "invalid_argument", "not_found",
		"failed_precondition", "out_of_range":
		return core.ClassBadRequest
	}
	return ""
}

// classOfMessage recognizes what some vendors say in words only.
func classOfMessage(message string) core.ErrorClass {
	message = strings.ToLower(message)
	for _, c := range []struct {
		class core.ErrorClass
		signs []string
	}{
		{core.ClassContext, []string{"prompt is too long", "context length", "context window", "maximum context",
			"input is too long", "exceeds the maximum number of tokens", "exceeds the available context size"}},
		{core.ClassAuth, []string{"api key not valid", "invalid api key", "api key expired"}},
		{core.ClassQuota, []string{"credit balance is too low"}},
		{core.ClassContentPolicy, []string{"content filter", "content management policy", "content filtering policy"}},
	} {
		for _, sign := range c.signs {
			if strings.Contains(message, sign) {
				return c.class
			}
		}
	}
	return ""
}
