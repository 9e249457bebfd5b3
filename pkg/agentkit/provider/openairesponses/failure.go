package openairesponses

import (
	"encoding/json"
	"errors"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// failure returns the error of an event: in a member error, in that of the response, or the event itself.
func failure(data []byte) error {
	if e := provider.AnswerError(0, data); e != nil {
		return e
	}
	var whole json.RawMessage
	r := jsonx.NewReader(data)
	for o := r.Object(); o.Next(); {
		if string(o.Key()) == "response" {
			whole = r.Raw()
		}
	}
	if e := provider.AnswerError(0, whole); r.End() == nil && e != nil {
		return e
	}
	r = jsonx.NewReader(data)
	if e := provider.ReadError(r); e.Message != "" && r.End() == nil {
		return provider.Classified(e)
	}
	return errors.New("the vendor reports a failure without saying anything about it")
}
