package jsonx_test

import (
	"encoding/json"
	"testing"

	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

func TestWriter(t *testing.T) {
	w := jsonx.NewWriter(0)
	w.BeginObject()
	w.TextField("a<&>", "\"\\\n\r\t\x01é\xff<>\u2028")
	w.Key("n")
	w.Int(-3)
	w.Key("list")
	w.BeginArray()
	w.Float(0.1)
	w.Float(1e21)
	w.Bool(true)
	w.BeginObject()
	w.EndObject()
	w.BeginArray()
	w.EndArray()
	w.Raw(json.RawMessage(`{"z" : 2.50}`))
	w.Raw(json.RawMessage(`null`))
	w.EndArray()
	w.Key("image")
	w.Base64("data:image/png;base64,", []byte{0xfb, 0xff, 1})
	w.EndObject()
	const want = `{"a<&>":"\"\\\n\r\t\u0001é` + "\uFFFD<>\u2028" + `","n":-3,"list":[0.1,1e+21,true,{},[],{"z" : 2.50},null],` +
		`"image":"data:image/png;base64,+/8B"}`
	if got := string(w.Bytes()); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if err := jsonx.Check(w.Bytes()); err != nil {
		t.Error(err)
	}
}

func FuzzWrittenTextIsRead(f *testing.F) {
	f.Add("a\"\\\x00\x1f\x7f é😀")
	f.Fuzz(func(t *testing.T, text string) {
		w := jsonx.NewWriter(len(text) + 2)
		w.Text(text)
		var got string
		if err := json.Unmarshal(w.Bytes(), &got); err != nil || got != string([]rune(text)) {
			t.Errorf("%q became %s, read as %q, %v", text, w.Bytes(), got, err)
		}
	})
}
