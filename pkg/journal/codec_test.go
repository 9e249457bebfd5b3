package journal_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (go test -update writes it anew):\n%s", file, diff)
	}
}

// numbered gives the entries their numbers.
func numbered(entries []*journal.Entry) []*journal.Entry {
	for i, e := range entries {
		e.Seq = int64(i) + 1
	}
	return entries
}

func encode(t *testing.T, e *journal.Entry, blobs journal.Blobs) string {
	t.Helper()
	text, err := journal.EncodeEntry(t.Context(), e, blobs)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func decode(t *testing.T, text string, blobs journal.Blobs) *journal.Entry {
	t.Helper()
	e, err := journal.DecodeEntry(t.Context(), []byte(text), blobs)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEveryRecordIsWrittenAsTheFormatSays(t *testing.T) {
	var lines strings.Builder
	seen := map[journal.Kind]bool{}
	for _, e := range numbered(storetest.Everything("s_1")) {
		fmt.Fprintln(&lines, encode(t, e, nil))
		for _, r := range e.Records {
			seen[r.Kind()] = true
		}
	}
	golden(t, "everything.jsonl", lines.String())
	if len(seen) != 17 {
		t.Errorf("the sample has %d types of records, the format 17: %v", len(seen), seen)
	}
}

func TestEveryRecordIsReadAsItWasWritten(t *testing.T) {
	for _, want := range numbered(storetest.Everything("s_1")) {
		got := decode(t, encode(t, want, nil), nil)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("entry %d:\n%s", want.Seq, diff)
		}
	}
}

func TestZeroRecordsSurvive(t *testing.T) {
	want := &journal.Entry{Format: 1, Seq: 1, Records: []journal.Record{
		journal.Session{}, journal.Run{}, journal.Queue{}, journal.Start{}, journal.End{}, journal.Fail{}, journal.Wait{},
		journal.Answer{}, journal.Msg{}, journal.Call{}, journal.Tip{}, journal.Sum{}, journal.Note{}, journal.Own{},
		journal.Cancel{}, journal.Stop{}, journal.Done{},
		journal.Msg{Parts: []journal.Part{journal.Text{}, journal.Thinking{}, journal.ToolCall{}, journal.ToolResult{},
			journal.Image{}}},
		journal.Wait{Asks: []journal.Ask{{}}},
	}}
	if diff := cmp.Diff(want, decode(t, encode(t, want, nil), nil)); diff != "" {
		t.Error(diff)
	}
}

// Absent, null and empty are three things wherever it matters.
func TestAbsentNullAndEmpty(t *testing.T) {
	for want, r := range map[string]journal.Record{
		`{"t":"start","p":"a@1","att":1}`:                 journal.Start{Path: "a@1", Attempt: 1},
		`{"t":"start","p":"a@1","in":null,"att":1}`:       journal.Start{Path: "a@1", Input: journal.Some(nil), Attempt: 1},
		`{"t":"end","p":"a@1"}`:                           journal.End{Path: "a@1"},
		`{"t":"end","p":"a@1","out":null}`:                journal.End{Path: "a@1", Output: journal.Some(nil)},
		`{"t":"end","p":"a@1","routes":[],"next":[]}`:     journal.End{Path: "a@1", Routes: []string{}, Next: []string{}},
		`{"t":"answer","id":"i","value":null}`:            journal.Answer{ID: "i", Value: journal.Some(nil)},
		`{"t":"answer","id":"i","decision":"reject"}`:     journal.Answer{ID: "i", Decision: journal.Reject},
		`{"t":"done","status":"completed","out":null}`:    journal.Done{Status: journal.Completed, Output: journal.Some(nil)},
		`{"t":"end","p":"a@1","set":{"k":null}}`:          journal.End{Path: "a@1", Set: map[string]any{"k": nil}},
		`{"t":"end","p":"a@1","usage":{}}`:                journal.End{Path: "a@1", Usage: &journal.Usage{}},
		`{"t":"fail","p":"a@1","err":{"code":"timeout"}}`: journal.Fail{Path: "a@1", Err: journal.Failure{Code: "timeout"}},
	} {
		e := &journal.Entry{Format: 1, Seq: 1, Records: []journal.Record{r}}
		text := encode(t, e, nil)
		if text != `{"v":1,"seq":1,"recs":[`+want+`]}` {
			t.Errorf("written as %s, want the record %s", text, want)
		}
		if diff := cmp.Diff(e, decode(t, text, nil)); diff != "" {
			t.Errorf("%s:\n%s", want, diff)
		}
	}
}

func TestLargeValuesGoToBlobs(t *testing.T) {
	fits := strings.Repeat("x", journal.InlineLimit-2)
	large := fits + "x"
	for name, c := range map[string]struct {
		record journal.Record
		blobs  int
	}{
		"a text that fits":    {journal.Note{Text: fits}, 0},
		"a text that doesn't": {journal.Note{Text: large}, 1},
		"an input":            {journal.Start{Input: journal.Some([]any{large})}, 1},
		"an output":           {journal.End{Output: journal.Some(large)}, 1},
		"each value of a state on its own": {journal.End{
			Set: map[string]any{"a": fits, "b": large, "c": map[string]any{"x": large}, "d": int64(1)}}, 2},
		"parts of a message": {journal.Msg{Parts: []journal.Part{
			journal.Text{Text: large, Signature: large + "1"}, journal.Thinking{Text: large + "2", Signature: large + "3"},
			journal.ToolCall{Args: large + "4", Signature: large + "5"}, journal.ToolResult{Text: large + "6"}}}, 7},
		"a question": {journal.Wait{Asks: []journal.Ask{{Message: large, Payload: large + "1", Schema: []any{large}}}}, 3},
		"a value that looks like a reference": {journal.Run{
			Input: map[string]any{"$blob": large, "len": int64(3)}}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			blobs := &countingBlobs{Blobs: memory.New()}
			want := &journal.Entry{Format: 1, Seq: 1, Records: []journal.Record{c.record}}
			text := encode(t, want, blobs)
			if blobs.puts != c.blobs || c.blobs > 0 && len(text) > journal.InlineLimit+2000 {
				t.Errorf("%d blobs, want %d; %d bytes stay in the entry", blobs.puts, c.blobs, len(text))
			}
			if diff := cmp.Diff(want, decode(t, text, blobs)); diff != "" {
				t.Error(diff)
			}
			if _, err := journal.DecodeEntry(t.Context(), []byte(text), nil); err != nil {
				t.Errorf("without blobs: %v", err)
			}
		})
	}
}

type countingBlobs struct {
	journal.Blobs
	puts int
}

func (b *countingBlobs) PutBlob(ctx context.Context, data []byte) (string, error) {
	b.puts++
	return b.Blobs.PutBlob(ctx, data)
}

func TestValuesThatLookLikeReferencesAreNone(t *testing.T) {
	for written, v := range map[string]any{
		`{"$$blob":"sha256:0","len":1}`:      map[string]any{"$blob": "sha256:0", "len": int64(1)},
		`{"$$$blob":1,"$$blob":2}`:           map[string]any{"$$blob": int64(1), "$blob": int64(2)},
		`{"$blobs":2,"blob":1}`:              map[string]any{"blob": int64(1), "$blobs": int64(2)},
		`{"a":{"$blob":"sha256:0"}}`:         map[string]any{"a": map[string]any{"$blob": "sha256:0"}},
		`[{"$blob":"sha256:0","len":1}]`:     []any{map[string]any{"$blob": "sha256:0", "len": int64(1)}},
		`{"$$blob":{"$blob":"x","len":1}}`:   map[string]any{"$blob": map[string]any{"$blob": "x", "len": int64(1)}},
		`{"$$$$blob":null,"x":{"$$blob":1}}`: map[string]any{"x": map[string]any{"$$blob": int64(1)}, "$$$blob": nil},
	} {
		e := &journal.Entry{Format: 1, Seq: 1, Records: []journal.Record{journal.Run{Input: v},
			journal.End{Set: map[string]any{"$blob": v}}}}
		text := encode(t, e, memory.New())
		if !strings.Contains(text, `"input":`+written) || !strings.Contains(text, `"set":{"$blob":`+written) {
			t.Errorf("written as %s, want the values %s", text, written)
		}
		if diff := cmp.Diff(e, decode(t, text, memory.New())); diff != "" {
			t.Errorf("%s:\n%s", written, diff)
		}
	}
}

func TestReferencesAreChecked(t *testing.T) {
	store := memory.New()
	digest, err := store.PutBlob(t.Context(), []byte(`"hello"`))
	if err != nil {
		t.Fatal(err)
	}
	entry := func(ref string) string { return `{"v":1,"seq":1,"recs":[{"t":"run","input":` + ref + `}]}` }
	ref := `{"$blob":"` + digest + `","len":7}`
	if got := decode(t, entry(ref), store).Records[0].(journal.Run).Input; got != "hello" {
		t.Errorf("the reference stands for %v", got)
	}
	edited := editedBlobs{store}
	for name, c := range map[string]struct {
		ref   string
		blobs journal.Blobs
		want  string
	}{
		"another length": {`{"$blob":"` + digest + `","len":8}`, store, "another length"},
		"no length":      {`{"$blob":"` + digest + `"}`, store, "recs[0].input: a reference to a blob has the form"},
		"no digest":      {`{"$blob":1,"len":7}`, store, "has the form"},
		"more members":   {`{"$blob":"` + digest + `","len":7,"x":1}`, store, "has the form"},
		"missing":        {`{"$blob":"sha256:00","len":7}`, store, "sha256:00: not in this store"},
		"edited":         {ref, edited, "the stored bytes have changed"},
		"not a text":     {`"x","root":{"$blob":"` + digest + `","len":7}`, store, "recs[0].root: expected a string"},
	} {
		_, err := journal.DecodeEntry(t.Context(), []byte(entry(c.ref)), c.blobs)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want …%s…", name, err, c.want)
		}
	}
}

// editedBlobs doesn't check what it reads, as a store that was changed behind its back.
type editedBlobs struct{ journal.Blobs }

func (editedBlobs) GetBlob(context.Context, string) ([]byte, error) { return []byte(`"HELLO"`), nil }

func TestEncodeErrorsNameThePlace(t *testing.T) {
	nan := map[string]any{"items": []any{int64(1), math.NaN()}}
	for want, r := range map[string]journal.Record{
		"recs[1].in.items[1]: NaN":                            journal.Start{Input: journal.Some(nan)},
		"recs[1].set.k.items[1]: NaN":                         journal.End{Set: map[string]any{"k": nan}},
		"recs[1].ask[1].payload.items[1]: NaN":                journal.Wait{Asks: []journal.Ask{{}, {Payload: nan}}},
		"recs[1].usage.cost: NaN":                             journal.Done{Usage: &journal.Usage{Cost: math.NaN()}},
		"recs[1].parts[1]: <nil> is not a part of a message":  journal.Msg{Parts: []journal.Part{journal.Text{}, nil}},
		"recs[1].t: the record is nil":                        nil,
		"recs[1].t: *journal.Tip is not a record":             &journal.Tip{},
		"recs[1].parts[0]: *journal.Text is not a part":       journal.Msg{Parts: []journal.Part{&journal.Text{}}},
		"recs[1].data: chan int is not a JSON value":          journal.Note{Data: make(chan int)},
		"recs[1].state.\xfe: the key is not UTF-8":            journal.Session{State: map[string]any{"\xfe": 1.0}},
		"recs[1].state.a: int is not a JSON value":            journal.Session{State: map[string]any{"a": 1}},
		"recs[1].value: []string is not a JSON value of the ": journal.Answer{Value: journal.Some([]string{})},
	} {
		e := &journal.Entry{Seq: 1, Records: []journal.Record{journal.Tip{ID: "m"}, r, journal.Done{}}}
		_, err := journal.EncodeEntry(t.Context(), e, nil)
		var value *journal.ValueError
		if !errors.As(err, &value) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
	failing := failingBlobs{memory.New()}
	large := &journal.Entry{Seq: 1, Records: []journal.Record{journal.Note{Text: strings.Repeat("x", 1<<16)}}}
	if _, err := journal.EncodeEntry(t.Context(), large, failing); !errors.Is(err, storetest.ErrInjected) {
		t.Errorf("the blobs' error is lost: %v", err)
	}
}

type failingBlobs struct{ journal.Blobs }

func (failingBlobs) PutBlob(context.Context, []byte) (string, error) {
	return "", storetest.ErrInjected
}

func TestDecodeErrorsNameThePlace(t *testing.T) {
	record := func(r string) string { return `{"v":1,"seq":1,"recs":[{"t":"tip"},` + r + `]}` }
	for text, want := range map[string]string{
		`[]`:                                               "an entry is an object",
		`{"seq":1,"recs":[{"t":"tip"}]}`:                   "v: format versions count from 1",
		`{"v":1,"recs":[{"t":"tip"}]}`:                     "seq: entries count from 1",
		`{"v":1,"seq":-1,"recs":[{"t":"tip"}]}`:            "seq: entries count from 1",
		`{"v":1,"seq":1.0,"recs":[{"t":"tip"}]}`:           "seq: expected an integer",
		`{"v":"1","seq":1,"recs":[{"t":"tip"}]}`:           "v: expected an integer",
		`{"v":1,"seq":1,"recs":[]}`:                        "recs: an entry has at least one record",
		`{"v":1,"seq":1}`:                                  "recs: an entry has at least one record",
		`{"v":1,"seq":1,"recs":{}}`:                        "recs: expected an array",
		`{"v":1,"seq":1,"at":"noon","recs":[{"t":"tip"}]}`: "at: expected a time as in 2006-01-02T15:04:05.000Z",
		`{"v":1,"seq":1,"at":"9999-12-31T23:59:59-01:00","recs":[{"t":"tip"}]}`: "at: expected a time",
		record(`1`):                                     "recs[1]: expected an object",
		record(`{}`):                                    "recs[1].t: a record has a type",
		record(`{"t":1}`):                               "recs[1].t: expected a string",
		record(`{"t":"start","p":1}`):                   "recs[1].p: expected a string",
		record(`{"t":"start","att":-1}`):                "recs[1].att: expected a number from 0",
		record(`{"t":"start","att":99999999999}`):       "recs[1].att: expected a number from 0",
		record(`{"t":"start","from":"a"}`):              "recs[1].from: expected an array",
		record(`{"t":"start","from":["a",2]}`):          "recs[1].from[1]: expected a string",
		record(`{"t":"end","ms":-1}`):                   "recs[1].ms: expected milliseconds",
		record(`{"t":"end","ms":9223372036854775807}`):  "recs[1].ms: expected milliseconds",
		record(`{"t":"end","set":[]}`):                  "recs[1].set: expected an object",
		record(`{"t":"end","usage":{"cost":"1"}}`):      "recs[1].usage.cost: expected a number",
		record(`{"t":"fail","err":"x"}`):                "recs[1].err: expected an object",
		record(`{"t":"wait","ask":[{},{"id":2}]}`):      "recs[1].ask[1].id: expected a string",
		record(`{"t":"call","ro":"yes"}`):               "recs[1].ro: expected true or false",
		record(`{"t":"sum","text":1}`):                  "recs[1].text: expected a string",
		record(`{"t":"msg","parts":[{"text":"a"},[]]}`): "recs[1].parts[1]: expected an object",
		record(`{"t":"tip","id":"a","id":"b"}`):         "recs[1].id: the key occurs twice",
	} {
		e, err := journal.DecodeEntry(t.Context(), []byte(text), memory.New())
		var value *journal.ValueError
		if !errors.As(err, &value) || !strings.Contains(err.Error(), want) {
			t.Errorf("decode %s: got %v, %v; want …%s…", text, e, err, want)
		}
	}
}

func TestNewerFormatsAreRefusedByName(t *testing.T) {
	for text, want := range map[string]journal.NewerFormatError{
		`{"v":2,"seq":7,"recs":{"anything":1}}`:                       {Seq: 7, Format: 2},
		`{"v":4294967297,"seq":7,"recs":[{"t":"tip"}]}`:               {Seq: 7, Format: 4294967297},
		`{"v":1,"seq":7,"recs":[{"t":"teleport"}]}`:                   {Seq: 7, Record: "teleport"},
		`{"v":1,"seq":7,"recs":[{"t":"msg","parts":[{"smell":""}]}]}`: {Seq: 7, Record: "msg"},
	} {
		_, err := journal.DecodeEntry(t.Context(), []byte(text), nil)
		var newer *journal.NewerFormatError
		if !errors.As(err, &newer) {
			t.Errorf("%s: got %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, *newer); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
		if !strings.Contains(err.Error(), "written by a newer plait") {
			t.Errorf("the error reads %q", err)
		}
	}
}

func TestUnknownMembersArePassedOver(t *testing.T) {
	text := `{"v":1,"seq":1,"recs":[{"t":"tip","id":"m","since":2}],"crc":"00000000","more":{"$blob":1}}`
	want := &journal.Entry{Format: 1, Seq: 1, Records: []journal.Record{journal.Tip{ID: "m"}}}
	if diff := cmp.Diff(want, decode(t, text, nil)); diff != "" {
		t.Error(diff)
	}
}

// A node of a chain costs the bytes that the design promises, and every chain is made of such nodes.
func TestBytesOfAChainNode(t *testing.T) {
	node := []journal.Record{
		journal.Start{Path: "lookup@1", From: []string{"classify@1"}, Attempt: 1},
		journal.End{Path: "lookup@1", Output: journal.Some(map[string]any{"output": map[string]any{"plan": "pro"}}),
			Next: []string{"reply@1"}, Took: 412_000_000},
	}
	size := func(records ...journal.Record) int {
		return len(encode(t, &journal.Entry{Seq: 1, Records: records}, nil))
	}
	rest := size(journal.Tip{ID: "m"})
	if bytes := size(append([]journal.Record{journal.Tip{ID: "m"}}, node...)...) - rest; bytes < 100 || bytes > 200 {
		t.Errorf("a chain node takes %d bytes, want 120 to 200", bytes)
	}
}

func TestEncodedEntriesAreOneLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := &journal.Entry{Format: 1, Seq: 1, Records: []journal.Record{
			journal.Run{ID: rapid.String().Draw(t, "id"), Input: normalValues().Draw(t, "input")},
			journal.End{Output: journal.Some(normalValues().Draw(t, "output")),
				Set: map[string]any{rapid.String().Draw(t, "key"): normalValues().Draw(t, "state")}},
		}}
		text, err := journal.EncodeEntry(context.Background(), e, nil)
		if err != nil || slices.Contains(text, '\n') {
			t.Fatalf("%v: %s", err, text)
		}
		got, err := journal.DecodeEntry(context.Background(), text, nil)
		if diff := cmp.Diff(e, got); err != nil || diff != "" {
			t.Fatalf("%s: %v\n%s", text, err, diff)
		}
	})
}

func TestAnEntryIsAppendedToWhatIsThere(t *testing.T) {
	e := &journal.Entry{Seq: 7, Records: []journal.Record{journal.Tip{ID: "m1"}}}
	got, err := journal.AppendEntry(t.Context(), []byte("before,"), e, nil)
	if want := "before," + encode(t, e, nil); err != nil || string(got) != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}
