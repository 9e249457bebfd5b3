package journal

// Role is the speaker of a message.
type Role string

// The roles of messages.
const (
	RoleUser   Role = "user"
	RoleModel  Role = "model"
	RoleTool   Role = "tool"
	RoleSystem Role = "system"
)

// Msg is one message of the transcript. Messages form a tree by Parent; the newest one is the session's tip.
type Msg struct {
	ID string

	// Parent is the message or the [Sum] before this one; empty for a first message.
	Parent string

	// Path is the activation that wrote it; empty for a person's.
	Path string

	Role Role

	// Author is the name of the agent, or "user".
	Author string

	// Branch is the branch that the message belongs to; empty for the trunk, which every branch sees.
	Branch string

	// Within is the isolated activation whose transcript the message belongs to, and whose state Set and Delete are about;
	// empty for the session's.
	Within string

	Parts []Part

	// Stop is why the model stopped, in the vocabulary of the agent SDK; Model is its name. Both belong to RoleModel.
	Stop  string
	Model string

	// Usage is what the model call consumed.
	Usage *Usage

	// Set and Delete are the state that tools wrote in this turn and removed: each turn of an agent is a commit.
	Set    map[string]any
	Delete []string
}

// Part is one piece of a message. The set is closed: [Text], [Thinking], [ToolCall], [ToolResult] and [Image], always
// as values.
type Part interface{ part() }

// Text is what is said. Signature is opaque: some vendors want it back with the text.
type Text struct {
	Text      string
	Signature string
}

// Thinking is a model's reasoning. It is of use to the model that wrote it alone, which wants it back unchanged.
type Thinking struct {
	Text string

	// Signature is the vendor's proof or the encrypted reasoning itself, opaque.
	Signature string

	// Item is the vendor's id of the reasoning item, where there is one.
	Item string

	// Redacted says that the vendor withheld the text; the Signature stands for it. So does it for what a model and its vendor
	// settle between them, such as a search for tools.
	Redacted bool
}

// ToolCall is a model's wish to call a tool.
type ToolCall struct {
	// ID pairs the call with its result; it is unique within the activation's turn.
	ID   string
	Name string

	// Args are the argument bytes as the model wrote them, never decoded and encoded again. Bytes that aren't UTF-8 are
	// not kept by a store that writes JSON: U+FFFD stands in their place.
	Args string

	// Signature and Item are as in [Thinking].
	Signature string
	Item      string
}

// ToolResult is what a call gave.
type ToolResult struct {
	// ID and Name are those of the call.
	ID   string
	Name string

	Text string

	// Error says that Text tells what went wrong.
	Error bool

	// Images are the pictures that belong to the result.
	Images []Image
}

// Image refers to a picture. Its bytes are in the store's blobs, see [Blobs].
type Image struct {
	// MediaType is the encoding, for instance image/png.
	MediaType string
	// Digest is the bytes' [Digest].
	Digest string
	// Size is their number.
	Size int64
}

// Usage is what a model call consumed, each token counted in exactly one of the numbers.
type Usage struct {
	// Input are the tokens that were read in full, without those from or to a cache; Output includes thinking.
	Input  int64
	Output int64

	// CacheRead and CacheWrite are the tokens taken from the vendor's cache and put into it.
	CacheRead  int64
	CacheWrite int64

	// Cost is in US dollars; 0 when it isn't known.
	Cost float64
}

// Tokens is the number of all tokens, in both directions.
func (u Usage) Tokens() int64 { return u.Input + u.Output + u.CacheRead + u.CacheWrite }

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{
		Input:      u.Input + v.Input,
		Output:     u.Output + v.Output,
		CacheRead:  u.CacheRead + v.CacheRead,
		CacheWrite: u.CacheWrite + v.CacheWrite,
		Cost:       u.Cost + v.Cost,
	}
}

// Call is the intent to run a tool, written before it runs. A call without a result has an unknown outcome when its
// process died.
type Call struct {
	Path string

	// ID is that of the [ToolCall].
	ID   string
	Tool string

	// Server is the MCP server that has the tool; empty for others.
	Server string

	// Args are the arguments as raw JSON if a hook or a person changed them; else empty.
	Args string

	// ReadOnly says that the tool may be called again without harm: it is read-only or idempotent.
	ReadOnly bool
}

// Tip moves the session's tip to an earlier message: a switch of branch, or a fork.
type Tip struct{ ID string }

// Sum is a checkpoint of compaction: it stands in the tree like a message, and its text stands for the messages from
// the first one to Upto. Those between Upto and Parent are still to be shown as they are.
type Sum struct {
	ID     string
	Parent string
	Text   string
	Upto   string

	// Within is as in [Msg].
	Within string
}

// Kind returns [KindMsg].
func (Msg) Kind() Kind { return KindMsg }

// Kind returns [KindCall].
func (Call) Kind() Kind { return KindCall }

// Kind returns [KindTip].
func (Tip) Kind() Kind { return KindTip }

// Kind returns [KindSum].
func (Sum) Kind() Kind { return KindSum }

func (Msg) record()  {}
func (Call) record() {}
func (Tip) record()  {}
func (Sum) record()  {}

func (Text) part()       {}
func (Thinking) part()   {}
func (ToolCall) part()   {}
func (ToolResult) part() {}
func (Image) part()      {}
