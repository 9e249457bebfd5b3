package wiretest

import (
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/session"
)

// FuzzRepaired sends transcripts of every kind of damage, repaired as the loop repairs them: what the wire makes of them
// is nothing that its vendor would refuse.
func FuzzRepaired(f *testing.F, d Dialect) {
	for _, seed := range []string{
		"", "\x00\x26\x01\x0a\x1b\x02\x0d\x02\x1d\x00\x26", // a sound one
		"\x00\x26\x01\x0a\x1b\x02\x0d\x00\x26",                     // a call without a result
		"\x00\x26\x31\x0a\x02\x0d\x41\x1a\x02\x1d",                 // answers that failed and were aborted, and their results
		"\x02\x0d\x01\x26\x01\x0a\x00\x26\x02\x0d",                 // results without and before their call
		"\x00\x26\x04\x68\xa8\x0a\x02\x0d\x01\x68\x08\xa9\x0a",     // reasoning of another model, without and with a signature
		"\x01\x3a\x4a\x5b\x6b\x02\x3d\x02\x4e\x00\x0f\x1f\x06\x16", // odd ids, arguments, images and blanks
		"\x01\x0a\x5a\x02\x0d\x02\x5d",                             // two calls of one answer with the same id
		"0123456789:;<=>?abcdefghijklmno",
	} {
		f.Add([]byte(seed))
	}
	v := newVendor(f, d)
	v.streams(d.Stream(answers()[0]), nil)
	model := v.model(f, false)
	f.Fuzz(func(t *testing.T, plan []byte) {
		msgs := session.Repair(damaged(plan), modelName)
		req := request(msgs...)
		req.Tools = tools()
		if _, err := v.ask(t, model, req); err != nil {
			t.Fatal(err)
		}
		if err := d.Check(v.body); err != nil {
			t.Errorf("the vendor would refuse this: %v\n%s", err, v.body)
		}
		sent, err := d.Sent(v.body)
		if err != nil {
			t.Fatal(err)
		}
		paired(t, sent.Said)
	})
}

// damaged makes a transcript of a plan. The low half of a byte begins a message, or says which kind of part is added to the
// last one; the high half chooses among what there is of the kind.
func damaged(plan []byte) []core.Message {
	stops := []core.StopReason{core.StopEnd, core.StopToolUse, core.StopMaxTokens, core.StopError, core.StopAborted}
	texts := []string{"", " ", "said", "<&>\"\\\x00ü"}
	ids := []string{"c1", "c2", "toolu_03", "id with spaces|fc_1", ""}
	args := []string{"{}", "", `{"a": 1}`, `{"text":"cut of`, "null", "[1]", "\xff"}
	names := []string{"find", "list_all", "gone"}
	var msgs []core.Message
	for _, b := range plan {
		kind, n := b&0x0f, int(b>>4)
		if kind < 6 || len(msgs) == 0 { // three roles, and the model asked or another one
			role := []core.Role{core.RoleUser, core.RoleModel, core.RoleTool}[kind%3]
			name := modelName
			if kind >= 3 {
				name = "other"
			}
			msgs = append(msgs, core.Message{Role: role, Author: "a", Model: name, Stop: string(stops[n%len(stops)])})
			continue
		}
		m := &msgs[len(msgs)-1]
		switch kind {
		case 6, 7:
			m.Parts = append(m.Parts, core.Text{Text: texts[n%len(texts)]})
		case 8, 9:
			m.Parts = append(m.Parts, core.Thinking{Text: texts[n%len(texts)], Signature: texts[n/4], Redacted: kind == 9 && n/4 > 1})
		case 10, 11, 12:
			m.Parts = append(m.Parts, core.ToolCall{ID: ids[n%len(ids)], Name: names[n%len(names)], Args: args[n%len(args)]})
		case 13, 14:
			m.Parts = append(m.Parts, core.ToolResult{ID: ids[n%len(ids)], Name: names[n%len(names)], Text: texts[n%len(texts)], Error: kind == 14})
		default:
			m.Parts = append(m.Parts, core.Image{MediaType: []string{"image/png", "image/tiff"}[n%2], Digest: "sha256:1", Size: 3})
		}
	}
	return msgs
}
