package declarative

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/plait-dev/plait/pkg/declarative/diag"
	"github.com/plait-dev/plait/pkg/declarative/source"
)

// MaxPromptBytes bounds one prompt from a ConfigMap. A document with all of its prompts must fit into one ConfigMap again.
const MaxPromptBytes = 512 << 10

// PromptUse is a prompt that became part of a document.
type PromptUse struct {
	// Name and Key say which ConfigMap it came from.
	Name, Key string
	// SHA256 is the hash of the text in lower-case hexadecimal digits.
	SHA256 string
}

// InlinePrompts puts the texts of instruction_from and global_instruction_from into doc, which it changes. The uses are in
// the order of the document, each prompt once. lookup is called once for each prompt that it has, and says in its error why
// it doesn't have another.
func InlinePrompts(doc *Document, lookup func(name, key string) (string, error)) ([]PromptUse, diag.List) {
	in := inliner{lookup: lookup, texts: map[PromptRef]string{}, report: source.NewReport(nil)}
	v := validator{doc: doc, agents: map[string]int{}}
	if doc.origin != nil {
		v.at = doc.origin.file.Root()
	}
	v.collect()
	for _, x := range v.llms {
		in.inline(x.at.Field("instruction_from"), &x.llm.InstructionFrom, &x.llm.Instruction)
		in.inline(x.at.Field("global_instruction_from"), &x.llm.GlobalInstructionFrom, &x.llm.GlobalInstruction)
	}
	return in.uses, in.report.List()
}

// inliner looks up prompts, each once.
type inliner struct {
	lookup func(name, key string) (string, error)
	texts  map[PromptRef]string
	uses   []PromptUse
	report *source.Report
}

func (in *inliner) inline(p source.Place, from **PromptRef, text *string) {
	if *from == nil {
		return
	}
	if found, ok := in.text(p, **from); ok {
		*text, *from = found, nil
	}
}

func (in *inliner) text(p source.Place, ref PromptRef) (string, bool) {
	if text, known := in.texts[ref]; known {
		return text, true
	}
	text, err := in.lookup(ref.Name, ref.Key)
	switch {
	case err != nil:
		in.report.Value(p, diag.PromptSource, fmt.Sprintf("the prompt %q of the ConfigMap %q: %s", ref.Key, ref.Name, err), "")
	case len(text) > MaxPromptBytes:
		in.report.Value(p, diag.TooLarge, fmt.Sprintf("the prompt %q of the ConfigMap %q has %d bytes; a prompt may have %d", ref.Key, ref.Name,
			len(text), MaxPromptBytes), "")
	default:
		sum := sha256.Sum256([]byte(text))
		in.texts[ref] = text
		in.uses = append(in.uses, PromptUse{Name: ref.Name, Key: ref.Key, SHA256: hex.EncodeToString(sum[:])})
		return text, true
	}
	return "", false
}
