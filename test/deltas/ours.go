package deltas

import (
	"context"
	"errors"
	"net/http"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
	"github.com/plait-dev/plait/pkg/agentkit/provider/wires"
)

// Ours reads with our wire.
func Ours(ctx context.Context, a Answer) (Reader, error) {
	client, err := provider.NewClient(provider.ClientOptions{
		Between: func(p provider.Passing, _ func() (*http.Response, error)) (*http.Response, error) {
			return a.RoundTrip(p.Request)
		},
	})
	if err != nil {
		return nil, err
	}
	m, err := wires.New(a.Vendor, wires.Options{Options: provider.Options{Model: "model-x", BaseURL: BaseURL, Client: client, Whole: a.Whole,
		Credentials: provider.Static(provider.APIKey("sk-1"))}})
	if err != nil {
		return nil, err
	}
	req := &core.Request{Messages: []core.Message{core.UserMessage("hello")}, Generate: core.Generate{MaxOutputTokens: 8192}}
	return func() (pieces, length int, err error) {
		var end core.Delta
		for d, err := range m.Stream(ctx, req) {
			if err != nil {
				return 0, 0, err
			}
			if d.Kind == core.TextDelta && d.Text != "" {
				pieces++
				length += len(d.Text)
			}
			end = d
		}
		if end.Kind != core.Done || end.Stop != core.StopEnd || end.Usage.Output != 4000 {
			return 0, 0, errors.New("the end isn't that of the answer")
		}
		return pieces, length, nil
	}, nil
}
