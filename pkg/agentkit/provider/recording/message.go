package recording

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/textproto"
	"os"
	"slices"
)

// message is what a file holds.
type message struct {
	first  string // "POST https://…" or "200"
	header http.Header
	body   []byte
}

// write writes a message into a file that isn't there yet.
func (m *message) write(path string) error {
	var out bytes.Buffer
	fmt.Fprintln(&out, m.first)
	for _, name := range slices.Sorted(maps.Keys(m.header)) {
		for _, value := range m.header[name] {
			fmt.Fprintf(&out, "%s: %s\n", name, value)
		}
	}
	fmt.Fprintln(&out)
	out.Write(m.body)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(out.Bytes())
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

func readMessage(path string) (*message, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	r := bufio.NewReader(bytes.NewReader(data))
	text := textproto.NewReader(r)
	m := &message{}
	if m.first, err = text.ReadLine(); err != nil {
		return nil, fmt.Errorf("%s: it has no first line", path)
	}
	header, err := text.ReadMIMEHeader()
	if err != nil {
		return nil, fmt.Errorf("%s: its headers can't be read: %w", path, err)
	}
	m.header = http.Header(header)
	m.body, err = io.ReadAll(r)
	return m, err
}
