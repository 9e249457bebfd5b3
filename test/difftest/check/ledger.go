package check

// Entry accepts differences. Whatever it matches has to be there: an entry that matches nothing fails.
type Entry struct {
	Vendor  string // a star for any
	Channel Channel
	At      string // as in a finding; a star stands for one step of a pointer, two at the end for all that follow

	// SDK and Ours are what each has there; empty for anything.
	SDK, Ours string

	// Reason says why ours is right.
	Reason string
}

// Ledger are the differences that are accepted.
func Ledger() []Entry {
	const (
		decoded = "the SDK decodes arguments and encodes them again: order, spelling and digits of numbers are lost"
		sorted  = "the SDK takes schemas as maps: order and spelling are lost"
		silent  = "the SDK takes what came so far for the answer"
		strange = "the SDK reads no events there, and takes that for the answer"
		lines   = "the rules of server-sent events allow it; the SDK doesn't know it"
	)
	return []Entry{
		{Vendor: "*", Channel: Header, At: "/header/Accept", Reason: "we say which framing is expected, so that gateways needn't guess"},

		{Vendor: "anthropic", Channel: Sent, At: "/messages/*/content/*/is_error", SDK: "false", Ours: "(absent)", Reason: "it is the default"},
		{Vendor: "anthropic", Channel: Bytes, At: "arguments", Reason: "the SDK compacts arguments and escapes <, > and & in them"},
		{Vendor: "anthropic", Channel: Bytes, At: "schemas", Reason: "the SDK escapes <, > and & in schemas"},
		{Vendor: "anthropic", Channel: Read, At: "/parts/*/args", SDK: `"{}"`,
			Reason: "the SDK makes a call without arguments of one that was cut off"},
		{Vendor: "anthropic", Channel: Damaged, At: "cut behind each byte", Reason: silent},
		{Vendor: "anthropic", Channel: Damaged, At: "nothing", Reason: silent},
		{Vendor: "anthropic", Channel: Damaged, At: "an error as JSON", Reason: strange},
		{Vendor: "anthropic", Channel: Damaged, At: "a page", Reason: strange},
		{Vendor: "anthropic", Channel: Damaged, At: "CR", Reason: lines + ", and reads no events"},
		{Vendor: "anthropic", Channel: Damaged, At: "a byte order mark", Reason: lines + ", and loses the first event"},

		{Vendor: "google", Channel: Sent, At: "/systemInstruction/role", SDK: `"user"`, Ours: "(absent)", Reason: "the vendor ignores it"},
		{Vendor: "google", Channel: Sent, At: "/contents/*/parts/*/text", SDK: "(absent)", Ours: `""`,
			Reason: "a part has to hold something; the SDK leaves out the empty text of withheld reasoning"},
		{Vendor: "google", Channel: Sent, At: "/contents/*/parts/*/functionCall/args/**", Reason: decoded},
		{Vendor: "google", Channel: Sent, At: "/contents/*/parts/*/functionCall/args", SDK: "(absent)", Ours: "{}",
			Reason: "the SDK leaves out arguments that are an empty object; that is what the model wrote"},
		{Vendor: "google", Channel: Sent, At: "/tools/*/functionDeclarations/*/parametersJsonSchema/**", Reason: sorted},
		{Vendor: "google", Channel: Bytes, At: "arguments", Reason: decoded},
		{Vendor: "google", Channel: Bytes, At: "schemas", Reason: sorted},
		{Vendor: "google", Channel: Bytes, At: "output schema", Reason: sorted},
		{Vendor: "google", Channel: Read, At: "/parts/*/args", Reason: decoded},
		{Vendor: "google", Channel: Read, At: "/parts/*/id", SDK: "(absent)", Reason: "a call without an id gets its position, so that its result finds it"},
		{Vendor: "google", Channel: Damaged, At: "cut behind each byte", Reason: silent},
		{Vendor: "google", Channel: Damaged, At: "nothing", Reason: silent},
		{Vendor: "google", Channel: Damaged, At: "an error as JSON", Reason: "the SDK takes an error in an answer in one piece for an empty answer"},
		{Vendor: "google", Channel: Damaged, At: "CR", Reason: lines},
		{Vendor: "google", Channel: Damaged, At: "a byte order mark", Reason: lines},
		{Vendor: "google", Channel: Damaged, At: "blank lines and comments", Reason: lines},

		{Vendor: "ollama", Channel: Sent, At: "/messages/*/tool_calls/*/function/arguments/**", Reason: decoded},
		{Vendor: "ollama", Channel: Sent, At: "/messages/*/tool_calls/*/function/index", SDK: "0", Ours: "(absent)",
			Reason: "the server numbers the calls itself; the SDK says 0 for all"},
		{Vendor: "ollama", Channel: Sent, At: "/tools/*/function/parameters/**", SDK: "(absent)", Reason: "the SDK drops keywords of schemas"},
		{Vendor: "ollama", Channel: Bytes, At: "arguments", Reason: decoded},
		{Vendor: "ollama", Channel: Bytes, At: "schemas", Reason: "the SDK drops keywords of schemas, and changes their order"},
		{Vendor: "ollama", Channel: Read, At: "/parts/*/args", Reason: decoded},
		{Vendor: "ollama", Channel: Read, At: "/parts/*/id", SDK: "(absent)", Reason: "a call without an id gets its position, so that its result finds it"},
		{Vendor: "ollama", Channel: Damaged, At: "cut behind each byte", Reason: silent},
		{Vendor: "ollama", Channel: Damaged, At: "nothing", Reason: silent},
		{Vendor: "ollama", Channel: Damaged, At: "CR", Reason: "CR is white space in JSON; we take it for the end of a line"},
		{Vendor: "ollama", Channel: Damaged, At: "a byte order mark", Reason: "the SDK fails on it; some gateways write one"},
		{Vendor: "ollama", Channel: Damaged, At: "blank lines and comments", Reason: "the SDK fails on blank lines; some gateways write them to keep a connection"},

		{Vendor: "openai", Channel: Sent, At: "/messages/*/content", SDK: "(absent)", Ours: "null",
			Reason: "the API allows both; servers of open models demand the member"},
		{Vendor: "openai", Channel: Sent, At: "/tools/*/function/parameters/**", Reason: sorted},
		{Vendor: "openai", Channel: Bytes, At: "schemas", Reason: sorted},
		{Vendor: "openai", Channel: Read, At: "/usage/cacheWrite", SDK: "0", Reason: "the SDK's accumulator forgets tokens written to the cache"},
		{Vendor: "openai", Channel: Read, At: "/usage/input", Reason: "the same tokens: they aren't input then"},
		{Vendor: "openai", Channel: Damaged, At: "cut behind each byte", Reason: silent},
		{Vendor: "openai", Channel: Damaged, At: "nothing", Reason: silent},
		{Vendor: "openai", Channel: Damaged, At: "an error as JSON", Reason: strange},
		{Vendor: "openai", Channel: Damaged, At: "a page", Reason: strange},
		{Vendor: "openai", Channel: Damaged, At: "CR", Reason: lines + ", and reads no events"},
		{Vendor: "openai", Channel: Damaged, At: "a byte order mark", Reason: lines + ", and loses the first event"},

		{Vendor: "openai-responses", Channel: Sent, At: "/tools/*/parameters/**", Reason: sorted},
		{Vendor: "openai-responses", Channel: Bytes, At: "schemas", Reason: sorted},
		{Vendor: "openai-responses", Channel: Bytes, At: "output schema", Reason: sorted},
		{Vendor: "openai-responses", Channel: Damaged, At: "cut behind each byte", Reason: silent},
		{Vendor: "openai-responses", Channel: Damaged, At: "nothing", Reason: silent},
		{Vendor: "openai-responses", Channel: Damaged, At: "an error as JSON", Reason: strange},
		{Vendor: "openai-responses", Channel: Damaged, At: "a page", Reason: strange},
		{Vendor: "openai-responses", Channel: Damaged, At: "an error behind each event", Reason: "the SDK hands over an error as an event and reports none"},
		{Vendor: "openai-responses", Channel: Damaged, At: "CR", Reason: lines + ", and reads no events"},
	}
}
