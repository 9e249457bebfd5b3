package compile

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// ownPrefix begins the variables that are the controller's.
const ownPrefix = "PLAIT_"

// The defaults of a Harness, as its definition has them. Objects that come from files don't have them filled in.
const (
	defaultGraceSeconds      = 60
	defaultMaxConcurrentRuns = 64
	defaultFsync             = "always"
)

// graceReserve is what a pod needs to end beside the time that runs have: to be taken out of service, and to write down
// what is left.
const graceReserve = 10 * time.Second

// env are the variables of the pod, sorted by name: what the harness has to know, what people set, and the secrets of
// models and servers.
func (c *compilation) env() []EnvVar {
	spec := &c.in.Harness.Spec
	var env []EnvVar
	set := func(name, value string) { env = append(env, EnvVar{Name: ownPrefix + name, Value: value}) }
	set("NAMESPACE", c.in.Template.Namespace)
	set("TEMPLATE", c.in.Template.Name)
	set("HARNESS", c.in.Harness.Name)
	set("AUTH", authMode(spec.Auth))
	set("MAX_CONCURRENT_RUNS", strconv.Itoa(int(or(spec.MaxConcurrentRuns, defaultMaxConcurrentRuns))))
	grace := time.Duration(or(spec.TerminationGracePeriodSeconds, defaultGraceSeconds)) * time.Second
	set("GRACE_PERIOD", (grace - graceReserve).String())
	if spec.URL != "" {
		set("URL", strings.TrimRight(spec.URL, "/")+"/"+c.in.Template.Name)
	}
	if spec.SessionStore != nil && spec.SessionStore.File != nil {
		set("FSYNC", fsync(spec.SessionStore.File))
	}
	for _, v := range spec.Env {
		env = append(env, EnvVar{Name: v.Name, Value: or(v.Value.Value, ""), Secret: v.SecretKeyRef.DeepCopy()})
	}
	for name, ref := range c.secrets {
		env = append(env, EnvVar{Name: name, Secret: &ref})
	}
	slices.SortFunc(env, func(a, b EnvVar) int { return strings.Compare(a.Name, b.Name) })
	return env
}

// authMode is who the harness lets in.
func authMode(auth v1alpha1.Auth) string {
	if auth.Bearer != nil {
		return "bearer"
	}
	return "none"
}

func fsync(store *v1alpha1.FileStore) string {
	if store.Fsync == "" {
		return defaultFsync
	}
	return store.Fsync
}
