package harness

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/plait-dev/plait/harness/a2a"
	"github.com/plait-dev/plait/harness/run"
	"github.com/plait-dev/plait/pkg/journal/jsonl"
)

// The variables that the program reads. Their meaning and defaults are in docs/harness.md.
const (
	envConfig         = "PLAIT_CONFIG"
	envConfigDigest   = "PLAIT_CONFIG_SHA256"
	envNamespace      = "PLAIT_NAMESPACE"
	envTemplate       = "PLAIT_TEMPLATE"
	envHarness        = "PLAIT_HARNESS"
	envRevision       = "PLAIT_REVISION"
	envListen         = "PLAIT_LISTEN"
	envHealthListen   = "PLAIT_HEALTH_LISTEN"
	envURL            = "PLAIT_URL"
	envAuth           = "PLAIT_AUTH"
	envAuthKeys       = "PLAIT_AUTH_KEYS"
	envData           = "PLAIT_DATA"
	envFsync          = "PLAIT_FSYNC"
	envWorkspace      = "PLAIT_WORKSPACE"
	envMaxRuns        = "PLAIT_MAX_CONCURRENT_RUNS"
	envMaxBody        = "PLAIT_MAX_BODY_BYTES"
	envDrainDelay     = "PLAIT_DRAIN_DELAY"
	envGrace          = "PLAIT_GRACE_PERIOD"
	envTerminationLog = "PLAIT_TERMINATION_LOG"
	envLogLevel       = "PLAIT_LOG_LEVEL"
)

// secretPrefix begins the variables that hold secrets for a config, which names them.
const secretPrefix = "PLAIT_SECRET_"

// The two ways of PLAIT_AUTH.
const (
	authBearer = "bearer"
	authNone   = "none"
)

// settings are what the surroundings say of this process. What decides how runs behave is in the config.
type settings struct {
	configPath, digest                     string
	namespace, template, harness, revision string
	listenAddr, healthAddr                 string
	url                                    string
	authMode, authKeys                     string
	data, workspace                        string
	fsync                                  jsonl.SyncPolicy
	maxRuns                                int
	maxBody                                int64
	drainDelay, grace                      time.Duration
	logLevel                               slog.Level
}

// environment reads variables and notes what is wrong with them.
type environment struct {
	lookup func(string) (string, bool)
	errs   []error
}

func readSettings(lookup func(string) (string, bool)) (settings, error) {
	e := &environment{lookup: lookup}
	s := settings{
		configPath: e.text(envConfig, "/etc/plait/config.json"),
		digest:     e.text(envConfigDigest, ""),
		namespace:  e.text(envNamespace, ""),
		template:   e.text(envTemplate, ""),
		harness:    e.text(envHarness, ""),
		revision:   e.text(envRevision, ""),
		listenAddr: e.address(envListen, ":8080"),
		healthAddr: e.address(envHealthListen, ":8081"),
		url:        e.url(envURL),
		authMode:   e.authMode(),
		authKeys:   e.text(envAuthKeys, "/var/run/secrets/plait/keys"),
		data:       e.text(envData, "/data"),
		workspace:  e.text(envWorkspace, "/workspace"),
		fsync:      e.fsync(),
		maxRuns:    int(e.number(envMaxRuns, run.DefaultMaxRuns)),
		maxBody:    e.number(envMaxBody, a2a.DefaultMaxBody),
		drainDelay: e.duration(envDrainDelay, 5*time.Second),
		grace:      e.duration(envGrace, 20*time.Second),
		logLevel:   e.level(),
	}
	if s.digest == "" {
		e.failf(envConfigDigest, "isn't set: it must hold the SHA-256 of the config, so that no other one is taken in")
	}
	return s, errors.Join(e.errs...)
}

func (e *environment) failf(name, format string, args ...any) {
	e.errs = append(e.errs, fmt.Errorf("%s %s", name, fmt.Sprintf(format, args...)))
}

// text reads a variable; one that is empty counts as unset.
func (e *environment) text(name, def string) string {
	if text, _ := e.lookup(name); text != "" {
		return text
	}
	return def
}

func (e *environment) address(name, def string) string {
	addr := e.text(name, def)
	if _, port, err := net.SplitHostPort(addr); err != nil || !isPort(port) {
		e.failf(name, "is %q, it must be an address to listen at, such as :8080 or 127.0.0.1:0", addr)
	}
	return addr
}

func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}

func (e *environment) url(name string) string {
	text := e.text(name, "")
	u, err := url.Parse(text)
	if text != "" && (err != nil || u.Host == "" || !slices.Contains([]string{"http", "https"}, u.Scheme)) {
		e.failf(name, "is %q, it must be the http or https URL that clients reach this agent at", text)
	}
	return strings.TrimSuffix(text, "/")
}

func (e *environment) authMode() string {
	text := e.text(envAuth, "")
	switch text {
	case authBearer, authNone:
	case "":
		e.failf(envAuth, "isn't set: bearer lets in whoever has a key of %s, none lets in everybody", envAuthKeys)
	case "jwt":
		e.failf(envAuth, "is jwt, which this release doesn't have; it has bearer and none")
	default:
		e.failf(envAuth, "is %q, it must be bearer or none", text)
	}
	return text
}

func (e *environment) fsync() jsonl.SyncPolicy {
	policies := []jsonl.SyncPolicy{jsonl.SyncAlways, jsonl.SyncInterval, jsonl.SyncNever}
	text := e.text(envFsync, jsonl.SyncAlways.String())
	i := slices.IndexFunc(policies, func(p jsonl.SyncPolicy) bool { return p.String() == text })
	if i < 0 {
		e.failf(envFsync, "is %q, it must be always, interval or never", text)
		return jsonl.SyncAlways
	}
	return policies[i]
}

func (e *environment) number(name string, def int64) int64 {
	text := e.text(name, "")
	if text == "" {
		return def
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil || n < 1 {
		e.failf(name, "is %q, it must be a whole number from 1 on", text)
		return def
	}
	return n
}

func (e *environment) duration(name string, def time.Duration) time.Duration {
	text := e.text(name, "")
	if text == "" {
		return def
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		e.failf(name, "is %q, it must be a time such as 5s or 1m30s", text)
		return def
	}
	return d
}

func (e *environment) level() slog.Level {
	text := e.text(envLogLevel, "info")
	var level slog.Level
	if err := level.UnmarshalText([]byte(text)); err != nil {
		e.failf(envLogLevel, "is %q, it must be debug, info, warn or error", text)
	}
	return level
}

// variables are all that the program reads.
func variables() []string {
	return []string{
		envConfig, envConfigDigest, envNamespace, envTemplate, envHarness, envRevision, envListen, envHealthListen, envURL, envAuth,
		envAuthKeys, envData, envFsync, envWorkspace, envMaxRuns, envMaxBody, envDrainDelay, envGrace, envTerminationLog, envLogLevel,
	}
}

// unknownVariables returns the variables of an environment that look like ours and aren't. They may be spelling mistakes.
func unknownVariables(environ []string) []string {
	known := variables()
	var unknown []string
	for _, pair := range environ {
		name, _, _ := strings.Cut(pair, "=")
		ours := strings.HasPrefix(name, "PLAIT_") && !strings.HasPrefix(name, secretPrefix)
		if ours && !slices.Contains(known, name) {
			unknown = append(unknown, name)
		}
	}
	return unknown
}

// hostname names this process's machine, which in a cluster is the pod.
func hostname() string {
	name, err := os.Hostname()
	if err != nil {
		return "localhost"
	}
	return name
}
