package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/pkg/declarative"
)

func (k *checker) harness(h *v1alpha1.Harness) {
	at, spec := of(h), &h.Spec
	k.must(h.Name != "", at+"metadata.name", "it is empty")
	k.must(count(spec.BYO != nil, spec.Managed != nil) == 1, at+"spec",
		"give either byo, an image of your own, or managed, the image of this release")
	if byo := spec.BYO; byo != nil {
		k.must(byo.Image != "", at+"spec.byo.image", "it is empty")
		k.must(byo.AllowTags || strings.Contains(byo.Image, "@sha256:"), at+"spec.byo.image",
			"name the image by digest (NAME@sha256:…), or set allowTags: true")
	}
	if problem := SelectorProblem(h); problem != "" {
		k.problems = append(k.problems, at+problem)
	}
	k.variables(at, spec.Env)
	k.must(count(spec.Auth.Bearer != nil, spec.Auth.None != nil) == 1, at+"spec.auth",
		"give either bearer, callers with a key, or none, everybody")
	k.must(spec.Auth.Bearer == nil || spec.Auth.Bearer.SecretName != "", at+"spec.auth.bearer.secretName", "it is empty")
	k.store(at, spec)
	k.url(at+"spec.url", spec.URL)
	k.must(or(spec.MaxConcurrentRuns, 1) >= 1, at+"spec.maxConcurrentRuns", "it must be at least 1")
	const shortest, longest = 15, 3600
	grace := or(spec.TerminationGracePeriodSeconds, shortest)
	k.must(grace >= shortest && grace <= longest, at+"spec.terminationGracePeriodSeconds",
		fmt.Sprintf("it is %d; it must be from %d to %d", grace, shortest, longest))
	if spec.DocumentPolicy != nil {
		k.policy(at+"spec.documentPolicy.", spec.DocumentPolicy)
	}
}

func (k *checker) variables(at string, env []v1alpha1.EnvVar) {
	var names []string
	for i, v := range env {
		at := fmt.Sprintf("%sspec.env[%d]", at, i)
		k.variable(at+".name", v.Name, "are set by the controller")
		k.value(at, v.Value)
		names = append(names, v.Name)
	}
	k.unique(at+"spec.env", names)
}

func (k *checker) variable(at, name, own string) {
	k.must(variableName.MatchString(name), at,
		fmt.Sprintf("%q can't be the name of a variable; it consists of letters, digits and _", name))
	k.must(!strings.HasPrefix(name, ownPrefix), at, fmt.Sprintf("%q: variables that begin with %s %s", name, ownPrefix, own))
}

func (k *checker) store(at string, spec *v1alpha1.HarnessSpec) {
	if spec.SessionStore == nil {
		return
	}
	at += "spec.sessionStore"
	file := spec.SessionStore.File
	if file == nil {
		k.wrong(at, "give file")
		return
	}
	k.must(file.PersistentVolumeClaim.Name != "", at+".file.persistentVolumeClaim.name", "it is empty")
	k.must(slices.Contains([]string{"", "always", "interval", "never"}, file.Fsync), at+".file.fsync",
		fmt.Sprintf("it is %q; it must be always, interval or never", file.Fsync))
	k.must(or(spec.Replicas, 1) <= 1, at+".file", "sessions in files are written by one pod: replicas must be at most 1")
}

func (k *checker) policy(at string, p *v1alpha1.DocumentPolicy) {
	k.hosts(at+"mcpHosts", p.MCPHosts)
	var names []string
	for i, grant := range p.Env {
		at := fmt.Sprintf("%senv[%d]", at, i)
		k.variable(at+".name", grant.Name, "can't be exposed")
		k.must(len(grant.Hosts) > 0, at+".hosts", "name the hosts that its value may be sent to")
		k.hosts(at+".hosts", grant.Hosts)
		names = append(names, grant.Name)
	}
	k.unique(at+"env", names)
	for _, tool := range or(p.HarnessTools, nil) {
		k.must(slices.Contains(declarative.HarnessTools(), string(tool)), at+"harnessTools",
			fmt.Sprintf("%q isn't a tool of a harness; there are %s", tool, enumerate(declarative.HarnessTools())))
	}
	if l := p.MaxLimits; l != nil {
		k.positive(at+"maxLimits.maxSteps", l.MaxSteps)
		k.positive(at+"maxLimits.maxVisits", l.MaxVisits)
		k.positive(at+"maxLimits.maxTokens", l.MaxTokens)
		k.positive(at+"maxLimits.maxTurns", l.MaxTurns)
		k.must(l.MaxDuration == nil || l.MaxDuration.Duration > 0, at+"maxLimits.maxDuration", "it must be longer than 0s")
		k.must(l.MaxCostUSD == nil || l.MaxCostUSD.Sign() > 0, at+"maxLimits.maxCostUSD", "it must be more than 0")
	}
}

func (k *checker) hosts(at string, hosts []string) {
	for _, host := range hosts {
		k.must(hostPattern.MatchString(host), at, fmt.Sprintf("%q isn't a host; expected host, host:port or *.domain", host))
	}
}
