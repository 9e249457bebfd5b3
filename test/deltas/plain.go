package deltas

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// maxLine bounds a line of a stream.
const maxLine = 16 << 20

// event is what a loop needs of an event: text, calls, the end and the usage.
type event[E any] interface {
	*E
	// piece returns the text of an event, and whether it is the last one.
	piece() (text string, last bool, err error)
}

// Plain reads with a scanner and encoding/json. It knows one spelling of the framing, no limits and no time limits.
func Plain(ctx context.Context, a Answer) Reader {
	read := map[string]func(io.Reader, Answer) (pieces, length int, err error){
		"anthropic": readAs[claude], "google": readAs[gemini], "ollama": readAs[line], "openai": readAs[chunk], "openai-responses": readAs[item],
	}[a.Vendor]
	client := a.Client()
	body := `{"model":"model-x","stream":true,"messages":[{"role":"user","content":"hello"}]}`
	return func() (pieces, length int, err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, BaseURL, strings.NewReader(body))
		if err != nil {
			return 0, 0, err
		}
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		if err != nil {
			return 0, 0, err
		}
		defer func() { _ = res.Body.Close() }()
		if res.StatusCode != http.StatusOK {
			return 0, 0, fmt.Errorf("status %d", res.StatusCode)
		}
		return read(res.Body, a)
	}
}

func readAs[E any, P event[E]](body io.Reader, a Answer) (pieces, length int, err error) {
	var e E
	if a.Whole {
		if err := json.NewDecoder(body).Decode(&e); err != nil {
			return 0, 0, err
		}
		text, _, err := P(&e).piece()
		return 1, len(text), err
	}
	var none E
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxLine)
	complete := false
	for lines.Scan() {
		data, ok := payload(lines.Bytes(), a)
		if !ok {
			continue
		}
		e = none
		if err := json.Unmarshal(data, &e); err != nil {
			return 0, 0, err
		}
		text, last, err := P(&e).piece()
		if err != nil {
			return 0, 0, err
		}
		if text != "" {
			pieces++
			length += len(text)
		}
		complete = complete || last
	}
	if err := lines.Err(); err != nil {
		return 0, 0, err
	}
	if !complete {
		return 0, 0, io.ErrUnexpectedEOF
	}
	return pieces, length, nil
}

// payload is the JSON text of a line, if it has one.
func payload(line []byte, a Answer) ([]byte, bool) {
	if a.Vendor == "ollama" {
		return line, true
	}
	data, ok := bytes.CutPrefix(line, []byte("data: "))
	return data, ok && string(data) != "[DONE]"
}

// fault is an error in an answer.
type fault struct {
	Message string `json:"message"`
}

func (f *fault) err() error {
	if f == nil {
		return nil
	}
	return errors.New(f.Message)
}

// claudeBlock is a block or a piece of one.
type claudeBlock struct {
	Type       string          `json:"type"`
	Text       string          `json:"text"`
	Thinking   string          `json:"thinking"`
	Signature  string          `json:"signature"`
	ID         string          `json:"id"`
	Name       string          `json:"name"`
	Input      json.RawMessage `json:"input"`
	Args       string          `json:"partial_json"`
	StopReason string          `json:"stop_reason"`
}

// claude is an event of Anthropic's, or an answer in one piece.
type claude struct {
	Type    string      `json:"type"`
	Index   int         `json:"index"`
	Block   claudeBlock `json:"content_block"`
	Delta   claudeBlock `json:"delta"`
	Message struct {
		Usage claudeUsage `json:"usage"`
	} `json:"message"`
	Usage   claudeUsage   `json:"usage"`
	Content []claudeBlock `json:"content"`
	Stop    string        `json:"stop_reason"`
	Error   *fault        `json:"error"`
}

type claudeUsage struct {
	Input      int64 `json:"input_tokens"`
	Output     int64 `json:"output_tokens"`
	CacheRead  int64 `json:"cache_read_input_tokens"`
	CacheWrite int64 `json:"cache_creation_input_tokens"`
}

func (e *claude) piece() (text string, last bool, err error) {
	for _, b := range e.Content {
		text += b.Text
	}
	return text + e.Delta.Text, e.Type == "message_stop", e.Error.err()
}

// call is a call of OpenAI's, or a piece of one.
type call struct {
	Index    int    `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type said struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
	Calls   []call `json:"tool_calls"`
}

// chunk is an event of OpenAI's, or an answer in one piece.
type chunk struct {
	Choices []struct {
		Delta   said   `json:"delta"`
		Message said   `json:"message"`
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Input   int64 `json:"prompt_tokens"`
		Output  int64 `json:"completion_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	} `json:"usage"`
	Error *fault `json:"error"`
}

func (c *chunk) piece() (text string, last bool, err error) {
	if len(c.Choices) > 0 {
		first := &c.Choices[0]
		text, last = first.Delta.Content+first.Message.Content, first.Finish != ""
	}
	return text, last, c.Error.err()
}

type outputItem struct {
	Type      string `json:"type"`
	ID        string `json:"id"`
	CallID    string `json:"call_id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Encrypted string `json:"encrypted_content"`
	Content   []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	} `json:"content"`
}

type response struct {
	Status string       `json:"status"`
	Output []outputItem `json:"output"`
	Usage  *struct {
		Input   int64 `json:"input_tokens"`
		Output  int64 `json:"output_tokens"`
		Details struct {
			Cached int64 `json:"cached_tokens"`
		} `json:"input_tokens_details"`
	} `json:"usage"`
	Error *fault `json:"error"`
}

// item is an event of the Responses API, or an answer in one piece.
type item struct {
	Type     string     `json:"type"`
	Index    int        `json:"output_index"`
	Delta    string     `json:"delta"`
	Item     outputItem `json:"item"`
	Response *response  `json:"response"`

	response
}

func (i *item) piece() (text string, last bool, err error) {
	for _, o := range i.Output {
		for _, c := range o.Content {
			text += c.Text
		}
	}
	return text + i.Delta, i.Type == "response.completed", i.Error.err()
}

// gemini is an event of Google's, which is also an answer in one piece.
type gemini struct {
	Candidates []struct {
		Content struct {
			Parts []struct {
				Text      string `json:"text"`
				Thought   bool   `json:"thought"`
				Signature string `json:"thoughtSignature"`
				Call      *struct {
					ID   string          `json:"id"`
					Name string          `json:"name"`
					Args json.RawMessage `json:"args"`
				} `json:"functionCall"`
			} `json:"parts"`
		} `json:"content"`
		Finish string `json:"finishReason"`
	} `json:"candidates"`
	Usage struct {
		Input    int64 `json:"promptTokenCount"`
		Output   int64 `json:"candidatesTokenCount"`
		Cached   int64 `json:"cachedContentTokenCount"`
		Thoughts int64 `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
	Error *fault `json:"error"`
}

func (g *gemini) piece() (text string, last bool, err error) {
	if len(g.Candidates) > 0 {
		last = g.Candidates[0].Finish != ""
		for _, p := range g.Candidates[0].Content.Parts {
			text += p.Text
		}
	}
	return text, last, g.Error.err()
}

// line is a line of Ollama's, which is also an answer in one piece.
type line struct {
	Message struct {
		Content  string `json:"content"`
		Thinking string `json:"thinking"`
		Calls    []struct {
			ID       string `json:"id"`
			Function struct {
				Name      string          `json:"name"`
				Arguments json.RawMessage `json:"arguments"`
			} `json:"function"`
		} `json:"tool_calls"`
	} `json:"message"`
	Done   bool   `json:"done"`
	Reason string `json:"done_reason"`
	Input  int64  `json:"prompt_eval_count"`
	Output int64  `json:"eval_count"`
	Error  string `json:"error"`
}

func (l *line) piece() (text string, last bool, err error) {
	if l.Error != "" {
		err = errors.New(l.Error)
	}
	return l.Message.Content, l.Done, err
}
