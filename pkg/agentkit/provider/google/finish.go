package google

import (
	"cmp"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// stop is the vendor's word for an answer that is complete, also when the model waits for results.
const stop = "STOP"

// done ends the answer. Some of the vendor's reasons say that there is none.
func (d *decoder) done(out *provider.Out) error {
	if class := failure(d.finish); class != "" {
		return &core.ProviderError{Class: class, Type: d.finish, Message: cmp.Or(d.reason, "the vendor gave the answer up")}
	}
	reason, known := stopReason(d.finish)
	if !known {
		out.Warn(fmt.Sprintf("the answer ended for a reason that isn't known, %q; it is taken for complete", d.finish))
	}
	if reason == core.StopEnd && d.ids.Len() > 0 {
		reason = core.StopToolUse
	}
	out.Done(reason, d.counts.usage())
	return nil
}

func stopReason(word string) (core.StopReason, bool) {
	switch word {
	case stop:
		return core.StopEnd, true
	case "MAX_TOKENS", "CONTINUATION":
		return core.StopMaxTokens, true
	case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII",
		"IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION":
		return core.StopRefusal, true
	}
	return core.StopEnd, false
}

// failure is the class of an end that isn't one of an answer; it is empty for others. A call that the model wrote in a form
// that the vendor can't read, or to a tool that isn't there, comes right most often when the model is asked again.
func failure(word string) core.ErrorClass {
	switch word {
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MALFORMED_RESPONSE", "NO_IMAGE",
		"IMAGE_OTHER", "OTHER":
		return core.ClassUnavailable
	case "MISSING_THOUGHT_SIGNATURE":
		return core.ClassBadRequest
	}
	return ""
}
