package cli

import (
	"net/url"
	"path/filepath"
	"slices"

	"github.com/plait-dev/plait/pkg/declarative/diag"
)

// As much of SARIF 2.1.0 (OASIS, 27 March 2020) as findings need. Names are those of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID                   string             `json:"id"`
		ShortDescription     sarifText          `json:"shortDescription"`
		DefaultConfiguration sarifConfiguration `json:"defaultConfiguration"`
	}
	sarifConfiguration struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		PhysicalLocation sarifPhysical  `json:"physicalLocation"`
		LogicalLocations []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		ArtifactLocation sarifArtifact `json:"artifactLocation"`
		Region           *sarifRegion  `json:"region,omitempty"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndColumn   int `json:"endColumn"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
)

// writeSARIF writes the form that code scanning takes. The rules are the table of codes.
func writeSARIF(streams Streams, v *verdict) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "plait"}}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	table := diag.Table()
	for _, row := range table {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: string(row.Code), ShortDescription: sarifText{row.Summary}, DefaultConfiguration: sarifConfiguration{row.Severity.String()},
		})
	}
	for i := range v.found {
		d := &v.found[i]
		run.Results = append(run.Results, sarifResult{
			RuleID:    string(d.Code),
			RuleIndex: slices.IndexFunc(table, func(row diag.Info) bool { return row.Code == d.Code }),
			Level:     d.Severity.String(),
			Message:   sarifText{sentence(d)},
			Locations: []sarifLocation{sarifPlace(d)},
		})
	}
	return encode(streams, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func sarifPlace(d *diag.Diagnostic) sarifLocation {
	file := url.URL{Path: filepath.ToSlash(d.File)}
	if filepath.IsAbs(d.File) {
		file.Scheme = "file"
	}
	at := sarifLocation{PhysicalLocation: sarifPhysical{ArtifactLocation: sarifArtifact{file.String()}}}
	if !d.IsZero() {
		at.PhysicalLocation.Region = &sarifRegion{d.Line, d.Column, d.EndColumn}
	}
	if d.Path != "" {
		at.LogicalLocations = []sarifLogical{{d.Path}}
	}
	return at
}
