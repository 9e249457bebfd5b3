package damage

import (
	"bytes"
	"io"
	"testing/iotest"

	"github.com/plait-dev/plait/test/difftest/scenario"
)

// Way is a way in which an answer is damaged.
type Way struct {
	Name string

	// Harmless says that the answer is still the same by the rules of its framing.
	Harmless bool

	kind   string // the content type, if it is another one
	bodies func(r scenario.Reply, vendor string) []io.Reader
}

// Ways are those that there are for the answer of a scenario. An answer that several have is damaged once, in the one of its name.
func Ways(s scenario.Scenario) []Way {
	if s.Name != s.Answer {
		return nil
	}
	always := []Way{
		{Name: "cut behind each byte", bodies: cuts},
		{Name: "one byte at a time", Harmless: true, bodies: one(func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) })},
		{Name: "an error as JSON", kind: "application/json", bodies: instead(`{"error":{"message":"overloaded","type":"overloaded_error"}}`)},
		{Name: "a page", kind: "text/html", bodies: instead("<html><body>Welcome</body></html>")},
		{Name: "nothing", bodies: instead("")},
	}
	if s.Whole {
		return always
	}
	return append(always, []Way{
		{Name: "CRLF", Harmless: true, bodies: one(ends("\r\n"))},
		{Name: "CR", Harmless: true, bodies: one(ends("\r"))},
		{Name: "a byte order mark", Harmless: true, bodies: one(func(b []byte) io.Reader { return bytes.NewReader(append([]byte("\xef\xbb\xbf"), b...)) })},
		{Name: "blank lines and comments", Harmless: true, bodies: between(func(vendor string) string {
			if vendor == "ollama" {
				return "\n"
			}
			return ": keep-alive\n\n"
		})},
		{Name: "unknown events", Harmless: true, bodies: between(unknown)},
		{Name: "an error behind each event", bodies: failures},
	}...)
}

func cuts(r scenario.Reply, _ string) []io.Reader {
	all := make([]io.Reader, 0, len(r.Body))
	for n := range r.Body {
		all = append(all, bytes.NewReader(r.Body[:n]))
	}
	return all
}

func one(of func([]byte) io.Reader) func(scenario.Reply, string) []io.Reader {
	return func(r scenario.Reply, _ string) []io.Reader { return []io.Reader{of(r.Body)} }
}

func instead(body string) func(scenario.Reply, string) []io.Reader {
	return one(func([]byte) io.Reader { return bytes.NewReader([]byte(body)) })
}

func ends(with string) func([]byte) io.Reader {
	return func(b []byte) io.Reader { return bytes.NewReader(bytes.ReplaceAll(b, []byte("\n"), []byte(with))) }
}

// events cuts a stream into its events.
func events(r scenario.Reply, vendor string) [][]byte {
	end := "\n\n"
	if vendor == "ollama" {
		end = "\n"
	}
	all := bytes.SplitAfter(r.Body, []byte(end))
	return all[:len(all)-1] // nothing follows the last end
}

// between puts something in front of each event.
func between(what func(vendor string) string) func(scenario.Reply, string) []io.Reader {
	return func(r scenario.Reply, vendor string) []io.Reader {
		var b bytes.Buffer
		for _, e := range events(r, vendor) {
			b.WriteString(what(vendor))
			b.Write(e)
		}
		return []io.Reader{&b}
	}
}

// failures ends the stream with an error, behind each event but the last.
func failures(r scenario.Reply, vendor string) []io.Reader {
	all := events(r, vendor)
	var bodies []io.Reader
	for n := 1; n < len(all); n++ {
		bodies = append(bodies, bytes.NewReader(append(bytes.Join(all[:n], nil), failure(vendor)...)))
	}
	return bodies
}

// unknown is an event of a kind that a vendor doesn't have yet.
func unknown(vendor string) string {
	switch vendor {
	case "anthropic", "openai-responses":
		return "event: new_thing\ndata: {\"type\":\"new_thing\",\"sequence_number\":0,\"text\":\"new\"}\n\n"
	case "openai":
		return `data: {"id":"chatcmpl-1","object":"new.thing","created":1790000000,"model":"model-x","choices":[],"new_thing":{"text":"new"}}` + "\n\n"
	case "google":
		return `data: {"newThing":{"text":"new"}}` + "\n\n"
	}
	return `{"model":"model-x","new_thing":{"text":"new"},"done":false}` + "\n"
}

// failure is how a vendor says within a stream that something went wrong.
func failure(vendor string) string {
	switch vendor {
	case "anthropic":
		return "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"
	case "openai-responses":
		return "event: error\ndata: {\"type\":\"error\",\"sequence_number\":9,\"code\":\"server_error\",\"message\":\"Overloaded\",\"param\":null}\n\n"
	case "openai":
		return `data: {"error":{"message":"Overloaded","type":"server_error","param":null,"code":"server_error"}}` + "\n\n"
	case "google":
		return `data: {"error":{"code":503,"message":"Overloaded","status":"UNAVAILABLE"}}` + "\n\n"
	}
	return `{"error":"overloaded"}` + "\n"
}
