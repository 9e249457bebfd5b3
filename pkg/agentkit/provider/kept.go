package provider

import (
	"encoding/json"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// Keep returns what is sent for a piece of an answer that is between the vendor and its model, such as a search for tools.
// It becomes reasoning whose text is withheld: a transcript keeps it whole and in its place, and only the model that wrote it
// is sent it again. raw is a JSON object.
func Keep(item string, raw []byte) core.Delta {
	return core.Delta{Kind: core.ThinkingDelta, Signature: string(raw), Item: item, Redacted: true}
}

// Kept returns what [Keep] kept; it is nil for reasoning. (What vendors sign or encrypt is never an object.)
func Kept(t core.Thinking) json.RawMessage {
	if !t.Redacted || t.Signature == "" || t.Signature[0] != '{' || jsonx.Check([]byte(t.Signature)) != nil {
		return nil
	}
	return json.RawMessage(t.Signature)
}
