package objects

import (
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// Report is what was found.
type Report struct {
	// Found are the findings. Check adds to those that are there already.
	Found diag.List
	// Invalid are what the errors among them are about.
	Invalid []Owner
}

// Owner is an object of plait.dev, or a document in a ConfigMap.
type Owner struct {
	File   string
	Object string // its label
	Key    string // NAME/KEY of the ConfigMap
}

// add adds a finding that isn't there yet. An error makes its owner invalid.
func (r *Report) add(owner Owner, d diag.Diagnostic) {
	if r.find(d) == nil {
		r.Found = append(r.Found, d)
	}
	if d.Severity == diag.Error {
		r.invalidate(owner)
	}
}

func (r *Report) invalidate(owner Owner) { r.Invalid = append(r.Invalid, owner) }

// find returns the finding that says the same of the same place, or nil.
func (r *Report) find(d diag.Diagnostic) *diag.Diagnostic {
	i := slices.IndexFunc(r.Found, func(o diag.Diagnostic) bool {
		return o.File == d.File && o.Pos == d.Pos && o.Code == d.Code && o.Message == d.Message && o.Path == d.Path
	})
	if i < 0 {
		return nil
	}
	return &r.Found[i]
}
