package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/plait-dev/plait/cmd/plait/internal/ping"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/declarative/diag"
)

func newPing(streams Streams) *cobra.Command {
	var f runFlags
	timeout := time.Minute
	cmd := &cobra.Command{
		Use:   "ping MODEL [PATH] | ping MODEL -f MANIFESTS… [--config RUNFILE]",
		Short: "Call a model once and say what is wrong, if something is",
		Long: "ping asks the model that a document calls MODEL for one word. When that fails it says why: a name that can't be resolved, " +
			"a connection that is refused, a certificate, a proxy, a key, a model that the vendor doesn't know, an account without money, " +
			"another API than the provider's, a web page. PATH is as for plait models.\n\n" +
			"The exit code is 0 when the model answers, 1 when it doesn't, and 2 when it can't be called as it is configured.",
		Args: arguments(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), timeout)
			defer cancel()
			return f.ping(ctx, streams, args[0], args[1:])
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", timeout, "how long to wait for the whole answer")
	f.addManifests(cmd, "call a model of")
	return cmd
}

func (f *runFlags) ping(ctx context.Context, streams Streams, name string, args []string) error {
	models, done, err := f.models(ctx, streams, args)
	if err != nil {
		return err
	}
	defer done()
	m, err := named(models, name)
	if err != nil {
		return err
	}
	if m.Err != nil {
		return fmt.Errorf("model %s: %w", name, m.Err)
	}
	answer, err := ping.Call(ctx, m.Model)
	if err != nil {
		target := ping.Target{
			Provider: m.Config.GetProvider(),
			Model:    m.Config.GetModel(),
			BaseURL:  m.BaseURL,
			Proxy:    m.Config.GetProxyUrl(),
			Key:      keyOf(m.Config.GetApiKey()),
		}
		return failure{fmt.Errorf("model %s: %s", name, ping.Explain(err, target))}
	}
	for _, warning := range answer.Warnings {
		streams.sayf("plait: %s", warning)
	}
	_, err = fmt.Fprintf(streams.Out, "%s: %s at %s answers after %s, %d tokens in and %d out%s\n", name, m.Config.GetModel(), orScript(m.BaseURL),
		answer.Took.Round(time.Millisecond), answer.Usage.Input+answer.Usage.CacheRead+answer.Usage.CacheWrite, answer.Usage.Output,
		costText(answer.Usage.Cost))
	return err
}

// named finds a model by the name that the document uses.
func named(models []intake.Model, name string) (*intake.Model, error) {
	var names []string
	for i := range models {
		if models[i].Name == name {
			return &models[i], nil
		}
		names = append(names, models[i].Name)
	}
	slices.Sort(names)
	hint := diag.DidYouMean(name, names)
	if hint == "" {
		hint = "there are " + strings.Join(names, ", ")
	}
	return nil, fmt.Errorf("there is no model %q; %s", name, hint)
}

func orScript(url string) string {
	if url == "" {
		return "a script"
	}
	return url
}

func costText(dollars float64) string {
	if dollars == 0 {
		return ""
	}
	return fmt.Sprintf(", for $%.6f", dollars)
}
