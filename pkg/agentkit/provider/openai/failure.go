package openai

import (
	"errors"
	"strconv"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// failure returns the error within an answer. It stands in a member error as everywhere, in one of a choice (OpenRouter),
// or is the whole object (older vLLM). Gateways give the status that they got from the vendor as code.
func failure(data []byte) error {
	e := provider.AnswerError(0, data)
	if e == nil {
		e = elsewhere(data)
	}
	if e == nil {
		return errors.New("there is an error in it that says nothing")
	}
	if status, err := strconv.Atoi(e.Code); err == nil && e.Class == core.ClassUnavailable {
		e.Class = provider.Classified(&core.ProviderError{Status: status, Type: e.Type, Message: e.Message}).Class
	}
	return e
}

// elsewhere looks for an error at the places where it isn't expected.
func elsewhere(data []byte) *core.ProviderError {
	r := jsonx.NewReader(data)
	var e *core.ProviderError
	for o := r.Object(); o.Next(); {
		if string(o.Key()) != "choices" {
			continue
		}
		for a := r.Array(); a.Next(); {
			if c := provider.AnswerError(0, r.Raw()); c != nil {
				e = c
			}
		}
	}
	if r.End() != nil || e != nil {
		return e
	}
	r = jsonx.NewReader(data)
	if top := provider.ReadError(r); top.Message != "" && r.End() == nil {
		return provider.Classified(top)
	}
	return nil
}
