package a2a

import (
	"net/http"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/plait-dev/plait/harness/internal/answer"
)

// Agent is what everybody may know of an agent: the public card holds this and nothing else.
type Agent struct {
	Name        string
	Description string

	// Version is the agent's own, which changes with its configuration.
	Version string

	// URL is where clients reach the agent, without a slash at the end. Empty means where the one who asks has found it,
	// over plain HTTP.
	URL string

	Skills []Skill

	// Bearer says that requests need a credential.
	Bearer bool
}

// Skill is something that an agent can do.
type Skill struct {
	ID          string
	Description string
	Tags        []string
}

// bearer is the name of the only security scheme.
const bearer = "bearer"

// serveCard answers with the public card.
func (a Agent) serveCard(w http.ResponseWriter, r *http.Request) {
	url := a.URL
	if url == "" {
		url = "http://" + r.Host
		w.Header().Set("Cache-Control", "no-store") // it depends on who asks
	}
	answer.JSON(w, http.StatusOK, a.card(url))
}

func (a Agent) card(url string) *a2a.AgentCard {
	card := &a2a.AgentCard{
		Name:               a.Name,
		Description:        a.Description,
		Version:            a.Version,
		Capabilities:       a2a.AgentCapabilities{Streaming: true},
		DefaultInputModes:  []string{"text/plain"},
		DefaultOutputModes: []string{"text/plain", "application/json"},
		Skills:             []a2a.AgentSkill{},
		SupportedInterfaces: []*a2a.AgentInterface{
			a2a.NewAgentInterface(strings.TrimSuffix(url, "/")+"/", a2a.TransportProtocolJSONRPC),
			a2a.NewAgentInterface(strings.TrimSuffix(url, "/"), a2a.TransportProtocolHTTPJSON),
		},
	}
	for _, s := range a.Skills {
		tags := append([]string{}, s.Tags...)
		card.Skills = append(card.Skills, a2a.AgentSkill{ID: s.ID, Name: s.ID, Description: s.Description, Tags: tags})
	}
	if a.Bearer {
		card.SecuritySchemes = a2a.NamedSecuritySchemes{bearer: a2a.HTTPAuthSecurityScheme{Scheme: "Bearer"}}
		card.SecurityRequirements = a2a.SecurityRequirementsOptions{{bearer: {}}}
	}
	return card
}
