package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/harness/intake"
	"github.com/plait-dev/plait/pkg/agentkit/catalog"
	"github.com/plait-dev/plait/pkg/agentkit/cost"
)

func newModels(streams Streams) *cobra.Command {
	var f runFlags
	form := "text"
	cmd := &cobra.Command{
		Use:   "models [PATH] | models -f MANIFESTS… [--config RUNFILE]",
		Short: "Say what the models of a run file or of manifests come to",
		Long: "models prints what stands behind each model that a document may use: the API and its URL, where the key comes from, what the " +
			"catalog knows of the model and by what name it found it, and what agents ask of it that it can't take. Nothing is called; " +
			"plait ping does that. PATH is a folder with a plait.yaml, or such a run file; without one it is the folder here.",
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			write, err := modelsWriter(form)
			if err != nil {
				return err
			}
			models, done, err := f.models(cmd.Context(), streams, args)
			if err != nil {
				return err
			}
			defer done()
			return write(streams, models)
		},
	}
	cmd.Flags().StringVarP(&form, "output", "o", form, "text or json")
	f.addManifests(cmd, "describe")
	return cmd
}

// models are those of what the command line names.
func (f *runFlags) models(ctx context.Context, streams Streams, args []string) ([]intake.Model, func(), error) {
	if len(args) == 0 && len(f.manifests.Paths) == 0 {
		args = []string{"."}
	}
	p, compiled, err := f.compile(ctx, streams, args)
	if err != nil {
		return nil, nil, err
	}
	return intake.Models(compiled.Config, intake.Environment{LookupEnv: p.LookupEnv})
}

func modelsWriter(form string) (func(Streams, []intake.Model) error, error) {
	switch form {
	case "text":
		return writeModels, nil
	case "json":
		return writeModelsJSON, nil
	}
	return nil, fmt.Errorf("--output %s: the forms are text and json", form)
}

// writeModels writes a paragraph for each model.
func writeModels(streams Streams, models []intake.Model) error {
	var out strings.Builder
	for i := range models {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(models[i].Name + "\n")
		for _, line := range modelLines(&models[i]) {
			if line[1] != "" {
				fmt.Fprintf(&out, "  %-9s %s\n", line[0], line[1])
			}
		}
	}
	_, err := fmt.Fprint(streams.Out, out.String())
	return err
}

// modelLines are names and values; what is empty isn't shown.
func modelLines(m *intake.Model) [][2]string {
	cfg := m.Config
	lines := [][2]string{
		{"model", cfg.GetModel() + ", " + apiOf(m)},
		{"url", m.BaseURL},
		{"key", keyOf(cfg.GetApiKey())},
		{"proxy", cfg.GetProxyUrl()},
		{"catalog", foundText(&m.Known)},
		{"limits", limitsText(&m.Known)},
		{"thinking", strings.Join(m.Known.Efforts, ", ")},
		{"prices", pricesText(m)},
		{"rates", ratesText(cfg.GetRateLimits())},
		{"failover", strings.Join(cfg.GetFailover(), ", ")},
	}
	for _, r := range m.Reported {
		lines = append(lines, [2]string{"reported", r.Agent + ": " + r.Text})
	}
	if m.Err != nil {
		for problem := range strings.Lines(m.Err.Error()) {
			lines = append(lines, [2]string{"problem", strings.TrimSpace(problem)})
		}
	}
	return lines
}

// apiOf is the wire, with the dialect that is spoken on it.
func apiOf(m *intake.Model) string {
	if m.Profile == "" {
		return m.Config.GetProvider()
	}
	return fmt.Sprintf("%s (profile %s)", m.Config.GetProvider(), m.Profile)
}

// keyOf says where a key comes from. The key itself is never shown.
func keyOf(ref *adkconfigv1.SecretRef) string {
	switch {
	case ref.GetEnv() != "":
		return "variable " + ref.GetEnv()
	case ref.GetFile() != "":
		return "file " + ref.GetFile()
	}
	return ""
}

func foundText(k *catalog.Found) string {
	var how string
	switch k.How {
	case catalog.Exact:
		how = k.ID
	case catalog.Alias:
		how = k.ID + ", by another name"
	case catalog.Dated:
		how = k.ID + ", of a certain day"
	case catalog.Sibling:
		how = k.ID + ", its nearest sibling: the model isn't listed"
	default:
		return ""
	}
	return fmt.Sprintf("%s (%s, read %s)", how, k.Source, k.Read)
}

func limitsText(k *catalog.Found) string {
	var limits []string
	if k.ContextWindow > 0 {
		limits = append(limits, fmt.Sprintf("%d tokens of context", k.ContextWindow))
	}
	if k.MaxOutput > 0 {
		limits = append(limits, fmt.Sprintf("%d tokens of output", k.MaxOutput))
	}
	return strings.Join(limits, ", ")
}

// pricesText is in dollars for a million tokens. A script has no price.
func pricesText(m *intake.Model) string {
	t := m.Known.Tariff
	switch {
	case m.BaseURL == "":
		return ""
	case !t.Known():
		return "not known"
	case t.Free:
		return "free"
	}
	of := func(p cost.Prices) string {
		return fmt.Sprintf("$%g in, $%g out, $%g read from and $%g written to caches", p.Input, p.Output, p.CacheRead, p.CacheWrite)
	}
	text := of(t.Prices) + " for a million tokens"
	if t.Above > 0 {
		text += fmt.Sprintf("; in prompts beyond %d tokens %s", t.Above, of(t.Long))
	}
	return text
}

func ratesText(l *adkconfigv1.RateLimits) string {
	var rates []string
	if n := l.GetRequestsPerMinute(); n > 0 {
		rates = append(rates, fmt.Sprintf("%d requests a minute", n))
	}
	if n := l.GetTokensPerMinute(); n > 0 {
		rates = append(rates, fmt.Sprintf("%d tokens a minute", n))
	}
	return strings.Join(rates, ", ")
}
