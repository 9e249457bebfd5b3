package wire_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/plait-dev/plait/pkg/agentkit/wire"
)

const limit = 1 << 10

// events reads all events of r, each as name|data.
func events(r io.Reader) ([]string, error) {
	var all []string
	for e := wire.NewEvents(r, limit); ; {
		ev, err := e.Next()
		if err != nil {
			return all, err
		}
		all = append(all, string(ev.Name)+"|"+string(ev.Data))
	}
}

func lines(r io.Reader) ([]string, error) {
	var all []string
	for l := wire.NewLines(r, limit); ; {
		line, err := l.Next()
		if err != nil {
			return all, err
		}
		all = append(all, string(line))
	}
}

func TestEvents(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
		err        error
	}{
		{"LF", "event: a\ndata: 1\n\ndata: 2\n\n", []string{"a|1", "|2"}, io.EOF},
		{"CR", "event: a\rdata: 1\r\rdata: 2\r\r", []string{"a|1", "|2"}, io.EOF},
		{"CRLF", "event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n", []string{"a|1", "|2"}, io.EOF},
		{"all kinds of line ends", "data: 1\r\ndata: 2\rdata: 3\ndata: 4\n\rdata: 5\r\n\n", []string{"|1\n2\n3\n4", "|5"}, io.EOF},
		{"byte order mark", "\xef\xbb\xbfdata: 1\n\n", []string{"|1"}, io.EOF},
		{"a mark elsewhere is text", "data: \xef\xbb\xbf1\n\n", []string{"|\xef\xbb\xbf1"}, io.EOF},
		{"half a mark is text", "\xef\xbbdata: 1\n\ndata: 2\n\n", []string{"|2"}, io.EOF},
		{"comments, id and retry", ": hello\n:\nid: 7\nretry: 10\ndata: 1\n\n: ping\n\n", []string{"|1"}, io.EOF},
		{"one space goes", "data:1\ndata:  2\nevent:x \n\n", []string{"x |1\n 2"}, io.EOF},
		{"fields without a colon", "data\nevent\n\ndata:\n\n", []string{"|", "|"}, io.EOF},
		{"no data, no event", "event: a\n\ndata: 1\n\n", []string{"|1"}, io.EOF},
		{"names are case-sensitive", "Data: 1\ndata: 2\n\n", []string{"|2"}, io.EOF},
		{"the last event isn't closed", "data: 1\n\ndata: 2\n", []string{"|1"}, io.ErrUnexpectedEOF},
		{"the last line isn't closed", "data: 1\n\ndata: 2", []string{"|1"}, io.ErrUnexpectedEOF},
		{"only a name is left", "event: a\n", nil, io.ErrUnexpectedEOF},
		{"nothing", "", nil, io.EOF},
		{"a mark and nothing", "\xef\xbb\xbf", nil, io.EOF},
	} {
		t.Run(c.name, func(t *testing.T) {
			for how, r := range map[string]io.Reader{
				"whole": strings.NewReader(c.text), "byte by byte": iotest.OneByteReader(strings.NewReader(c.text)),
				"with its end": iotest.DataErrReader(strings.NewReader(c.text)),
			} {
				got, err := events(r)
				if diff := cmp.Diff(c.want, got); diff != "" || !errors.Is(err, c.err) {
					t.Errorf("%s: err %v, events (-want +got):\n%s", how, err, diff)
				}
			}
		})
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"LF", "{\"a\":1}\n{}\n", []string{`{"a":1}`, "{}"}},
		{"CRLF and CR", "1\r\n2\r3\r\n", []string{"1", "2", "3"}},
		{"blank lines", "\n 1 \n\t\r\n\n2\n\n", []string{"1", "2"}},
		{"byte order mark", "\xef\xbb\xbf1\n", []string{"1"}},
		{"the last line isn't closed", "1\n{\"a\":", []string{"1", `{"a":`}},
		{"nothing", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
				got, err := lines(r)
				if diff := cmp.Diff(c.want, got); diff != "" || !errors.Is(err, io.EOF) {
					t.Errorf("err %v, lines (-want +got):\n%s", err, diff)
				}
			}
		})
	}
}

func TestWhatIsTooLargeIsAnError(t *testing.T) {
	long := strings.Repeat("x", limit)
	for name, text := range map[string]string{
		"a line":                "data: 1\n\ndata: " + long + "\n\n",
		"a line without an end": "data: 1\n\n" + long + long + long,
		"a comment":             "data: 1\n\n:" + long + "\n\n",
		"an event of lines":     "data: 1\n\n" + strings.Repeat("data: xxxxxxxxxxxxxxxx\n", limit/16) + "\n",
		"an event of no text":   "data: 1\n\n" + strings.Repeat("data\n", limit+2) + "\n",
	} {
		for _, r := range []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text))} {
			var tooLarge *wire.TooLargeError
			got, err := events(r)
			if !errors.As(err, &tooLarge) || len(got) != 1 {
				t.Errorf("%s: events %q, err %v", name, got, err)
			}
		}
	}
	fits := strings.Repeat("x", limit-len("data: "))
	if got, err := events(strings.NewReader("data: " + fits + "\n\n")); len(got) != 1 || !errors.Is(err, io.EOF) {
		t.Errorf("the largest that goes: %v", err)
	}
	got, err := lines(strings.NewReader("1\n" + long + "x\n2\n"))
	if len(got) != 1 || err == nil || err.Error() != "a message of the stream is larger than 1024 bytes" {
		t.Errorf("lines %q, err %v", got, err)
	}
}

func TestTheReadersErrorIsPassedOn(t *testing.T) {
	broken := errors.New("broken")
	text := "data: 1\n\ndata: 2\n\nda"
	got, err := events(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
	if len(got) != 2 || !errors.Is(err, broken) {
		t.Errorf("events %q, err %v", got, err)
	}
	got, err = lines(io.MultiReader(strings.NewReader("1\n2"), iotest.ErrReader(io.ErrUnexpectedEOF)))
	if len(got) != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a line that broke off was taken for one: %q, %v", got, err)
	}
}

// An event is handed out when its blank line is there, although the peer sends nothing more.
func TestEventsDoNotWaitForTheNextOne(t *testing.T) {
	for _, end := range []string{"\n\n", "\r\r", "\r\n\r"} {
		r, w := io.Pipe()
		go func() { _, _ = w.Write([]byte("data: 1" + end)) }()
		ev, err := wire.NewEvents(r, limit).Next()
		if err != nil || string(ev.Data) != "1" {
			t.Errorf("event %q, err %v", ev.Data, err)
		}
		_ = r.Close()
	}
}

func TestReadingEventsCostsNoAllocation(t *testing.T) {
	text := strings.Repeat("event: content_block_delta\ndata: {\"type\":\"x\"}\n\n", 1000)
	n := testing.AllocsPerRun(10, func() {
		e := wire.NewEvents(strings.NewReader(text), limit)
		for {
			if _, err := e.Next(); err != nil {
				return
			}
		}
	})
	if n > 6 {
		t.Errorf("%v allocations for 1000 events", n)
	}
}
