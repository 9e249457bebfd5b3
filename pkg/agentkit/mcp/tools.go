package mcp

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxToolPages = 64
	maxTools     = 2000

	// defaultListTTL is how long a list of tools is believed when the server doesn't say, maxListTTL how long at most.
	defaultListTTL = time.Minute
	maxListTTL     = 24 * time.Hour
)

// ToolInfo describes one tool of a server.
type ToolInfo struct {
	// Server is the server's configured name, Name the tool's name there.
	Server string
	Name   string

	// QualifiedName is the name for everybody else; see [QualifiedName].
	QualifiedName string

	// Description is the server's text for the model.
	Description string

	// InputSchema is the JSON Schema of the arguments: an object schema without references to elsewhere.
	InputSchema json.RawMessage

	// ReadOnly and Idempotent are what the server says of the tool, false when it doesn't.
	ReadOnly   bool
	Idempotent bool
}

// listing is a session's list of tools.
type listing struct {
	turn  chan struct{} // holds one token, for whoever reads or fetches the list
	infos []ToolInfo
	until time.Time // the list is believed until then
}

func newListing() *listing { return &listing{turn: make(chan struct{}, 1)} }

// list returns the session's tools, asking the server again when the last answer is too old.
func (s *session) list(ctx context.Context, limit time.Duration) ([]ToolInfo, error) {
	select {
	case s.tools.turn <- struct{}{}:
		defer func() { <-s.tools.turn }()
	case <-ctx.Done():
		return nil, classify(s.server, "list tools", ended(ctx))
	}
	if time.Now().Before(s.tools.until) {
		return s.tools.infos, nil
	}
	var (
		tools []*sdk.Tool
		ttl   time.Duration
	)
	_, err := s.do(ctx, limit, "list tools", func(ctx context.Context) (err error) {
		tools, ttl, err = fetchTools(ctx, s.cs)
		return err
	})
	if err != nil {
		return nil, err
	}
	infos, err := describe(s.server, tools)
	if err != nil {
		return nil, classify(s.server, "list tools", err)
	}
	s.tools.infos, s.tools.until = infos, time.Now().Add(ttl)
	return infos, nil
}

// fetchTools reads all pages, and for how long they may be kept. A server that never comes to an end is cut off.
func fetchTools(ctx context.Context, cs *sdk.ClientSession) (tools []*sdk.Tool, ttl time.Duration, _ error) {
	if caps := cs.InitializeResult().Capabilities; caps == nil || caps.Tools == nil {
		return nil, defaultListTTL, nil
	}
	ttl = math.MaxInt64
	seen := map[string]bool{}
	for cursor := ""; ; {
		page, err := cs.ListTools(ctx, &sdk.ListToolsParams{Cursor: cursor})
		if err != nil {
			return nil, 0, err
		}
		tools = append(tools, page.Tools...)
		ttl = min(ttl, pageTTL(page))
		cursor = page.NextCursor
		switch {
		case cursor == "":
			return tools, ttl, nil
		case seen[cursor]:
			return nil, 0, refusef("the list of tools repeats the cursor %q", shorten(printable(cursor), 80))
		case len(seen) == maxToolPages, len(tools) > maxTools:
			return nil, 0, refusef("the list of tools has no end: %d tools on %d pages so far", len(tools), len(seen)+1)
		}
		seen[cursor] = true
	}
}

func pageTTL(page *sdk.ListToolsResult) time.Duration {
	if ms := page.GetTTLMs(); ms > 0 {
		return min(maxListTTL, time.Duration(ms)*time.Millisecond)
	}
	return defaultListTTL
}

// describe turns the SDK's tools into ours. Two tools that would have the same name are refused: which of them a model
// or an approval means would be a matter of luck.
func describe(server string, tools []*sdk.Tool) ([]ToolInfo, error) {
	infos := make([]ToolInfo, 0, len(tools))
	owner := map[string]string{}
	for _, t := range tools {
		if t.Name == "" {
			return nil, refusef("a tool has no name")
		}
		info := ToolInfo{
			Server: server, Name: t.Name, QualifiedName: QualifiedName(server, t.Name),
			Description: t.Description, InputSchema: normaliseSchema(t.InputSchema),
		}
		if a := t.Annotations; a != nil {
			info.ReadOnly, info.Idempotent = a.ReadOnlyHint, a.IdempotentHint
		}
		if other, taken := owner[info.QualifiedName]; taken {
			return nil, refusef("the tools %q and %q would both be called %s", other, t.Name, info.QualifiedName)
		}
		owner[info.QualifiedName] = t.Name
		infos = append(infos, info)
	}
	return infos, nil
}

// allowed picks the tools of an allow list, all of them for an empty one, and names what the server doesn't offer.
func allowed(infos []ToolInfo, allow []string) (kept []ToolInfo, missing []string) {
	if len(allow) == 0 {
		return infos, nil
	}
	for _, name := range allow {
		if !slices.ContainsFunc(infos, func(i ToolInfo) bool { return i.Name == name }) {
			missing = append(missing, name)
		}
	}
	for _, info := range infos {
		if slices.Contains(allow, info.Name) {
			kept = append(kept, info)
		}
	}
	return kept, missing
}

// toolNames lists the tools' own names.
func toolNames(infos []ToolInfo) []string {
	names := make([]string, len(infos))
	for i, info := range infos {
		names[i] = info.Name
	}
	return names
}
