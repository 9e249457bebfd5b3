package policy

import "slices"

// loopCore is the part of the agent SDK that stands on the standard library.
func loopCore() Patterns {
	return Patterns{
		"./pkg/agentkit", "./pkg/agentkit/core", "./pkg/agentkit/jsonx", "./pkg/agentkit/wire", "./pkg/agentkit/schema",
		"./pkg/agentkit/session", "./pkg/agentkit/catalog", "./pkg/agentkit/cost", "./pkg/agentkit/provider",
	}
}

// Rules are the import rules of ARCHITECTURE.md.
func Rules() []Rule {
	return []Rule{
		{
			Of:   Patterns{"./pkg/journal", "./pkg/workflow/graph"},
			Only: Patterns{standardLibrary},
			Why:  "journal and graph are what everything else agrees on: standard library only",
		},
		{
			Of:   Patterns{"./pkg/workflow/..."},
			Only: Patterns{standardLibrary, "./pkg/journal", "./internal/schemas", "github.com/google/jsonschema-go/..."},
			Why:  "the engine knows graphs, not agents and not expressions: standard library, journal and jsonschema-go",
		},
		{
			Of:   loopCore(),
			Only: Patterns{standardLibrary, "./pkg/journal"},
			Why:  "the loop core stands on the standard library and the journal",
		},
		{
			Of:    Patterns{"./pkg/agentkit"},
			Never: Patterns{"net/http", "database/...", "./pkg/agentkit/provider/..."},
			Why:   "who embeds the loop doesn't pay for HTTP, databases or providers",
		},
		{
			Of:    Patterns{"./pkg/agentkit/..."},
			Never: Patterns{"./pkg/workflow/...", "./pkg/declarative/..."},
			Why:   "the agent SDK is usable without graphs and documents",
		},
		{
			Of:    Patterns{"./pkg/declarative/..."},
			But:   Patterns{"./pkg/declarative/build/...", "./pkg/declarative/scenario/..."},
			Never: Patterns{"./pkg/workflow/...", "./pkg/agentkit/...", "./api/...", "k8s.io/...", "sigs.k8s.io/controller-runtime/..."},
			Save:  Patterns{"./pkg/workflow/graph"},
			Why:   "a document is checked without an engine, an agent or a cluster; only build and scenario run it",
		},
		{
			Of:    Patterns{"./pkg/..."},
			Never: Patterns{"./controllers/...", "./harness/...", "./api/v1alpha1/...", "k8s.io/..."},
			Why:   "the libraries know neither operator nor harness nor Kubernetes",
		},
		{
			Of:    Patterns{"./controllers/..."},
			Never: Patterns{"./harness/...", "./pkg/workflow/...", "./pkg/agentkit/...", "./pkg/declarative/build/..."},
			Save:  Patterns{"./pkg/workflow/graph"},
			Why:   "the operator validates and ships documents; it never runs one",
		},
		{
			Of:    Patterns{"./controllers/compile/..."},
			Never: Patterns{"k8s.io/client-go/...", "sigs.k8s.io/controller-runtime/..."},
			Why:   "the compiler is pure: the CLI runs it without a cluster",
		},
		{
			Of:    Patterns{"./harness/..."},
			Never: Patterns{"./api/v1alpha1/...", "./controllers/...", "k8s.io/client-go/..."},
			Why:   "a harness reads its mounted config and nothing of the cluster",
		},
	}
}

// Owners are the libraries with one owner each. Examples are programs of their own and bound by none.
func Owners() []Owner {
	return []Owner{
		{
			Library: "github.com/jackc/pgx/...",
			By:      Patterns{"./harness/pgstore/..."},
			Why:     "pgx belongs to harness/pgstore",
		},
		{
			Library: "github.com/a2aproject/a2a-go/...",
			By:      Patterns{"./harness/a2a/..."},
			Why:     "a2a-go belongs to harness/a2a",
		},
		{
			Library: "github.com/modelcontextprotocol/go-sdk/...",
			By:      Patterns{"./pkg/agentkit/mcp/...", "./examples/..."},
			Why:     "the MCP SDK belongs to agentkit/mcp",
		},
		{
			Library: "cel.dev/cel-go/...",
			By:      Patterns{"./pkg/declarative/expr/..."},
			Why:     "cel-go belongs to declarative/expr",
		},
	}
}

// AllPatterns gives every pattern of every rule, in order, once.
func AllPatterns() Patterns {
	var all Patterns
	for _, rule := range Rules() {
		all = slices.Concat(all, rule.Of, rule.But, rule.Only, rule.Never, rule.Save)
	}
	for _, owner := range Owners() {
		all = append(append(all, owner.Library), owner.By...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Unmatched lists the patterns of the rules that match no package so far. A pattern that matches nothing and isn't here
// is a spelling mistake; one that is here and matches something leaves the list.
func Unmatched() Patterns {
	return Patterns{
		"./harness/pgstore/...",
		"./pkg/declarative/scenario/...",
		"github.com/jackc/pgx/...",
	}
}
