package harness

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	adkconfigv1 "github.com/plait-dev/plait/api/adkconfig/v1"
	"github.com/plait-dev/plait/harness/harnesstest"
	"github.com/plait-dev/plait/pkg/declarative/build"
	"github.com/plait-dev/plait/pkg/workflow"
)

func work(*workflow.Context, any, any) (workflow.Result, error) {
	return workflow.Result{Output: "worked"}, nil
}

// refused checks that the program ends with exit code 2, and says why on standard error and in the termination log.
func refused(t *testing.T, s setting, opts []Option, want ...string) {
	t.Helper()
	code, out, errs := s.run(t, nil, opts...)
	if code != exitRefused || out != "" {
		t.Errorf("it ends with %d and prints %q", code, out)
	}
	message, err := os.ReadFile(s[envTerminationLog])
	if err != nil {
		t.Fatal(err)
	}
	if string(message) != errs {
		t.Errorf("the termination log is %q", message)
	}
	for _, text := range want {
		if !strings.Contains(errs, text) {
			t.Errorf("it doesn't say %q:\n%s", text, errs)
		}
	}
}

// A config counts only as a whole: whoever changes a byte of it would have to change the pod's spec as well.
func TestRefuses_another_config(t *testing.T) {
	config := harnesstest.Config(t, document, "")
	announced := adkconfigv1.Digest(config)
	byteChanged := []byte(strings.Replace(string(config), "hello", "hallo", 1))
	alongWithItsHash := harnesstest.Config(t, strings.Replace(document, "hello", "hallo", 1), "")
	for name, changed := range map[string][]byte{"a byte": byteChanged, "the document and its sha256": alongWithItsHash} {
		t.Run(name, func(t *testing.T) {
			got := adkconfigv1.Digest(changed)
			if got == announced {
				t.Fatal("nothing was changed")
			}
			s := newSetting(t, changed)
			s[envConfigDigest] = announced
			refused(t, s, []Option{WithFunction("work", work)}, announced, got, "it isn't the config that was announced")
		})
	}
	t.Run("the document without its sha256", func(t *testing.T) {
		refused(t, newSetting(t, byteChanged), []Option{WithFunction("work", work)}, "workflow.sha256: want")
	})
}

func TestRefuses(t *testing.T) {
	config := harnesstest.Config(t, document, "", func(cfg *adkconfigv1.AgentConfig) {
		cfg.Namespace, cfg.Harness = "default", "standard"
	})
	ok := []Option{WithFunction("work", work)}
	for _, tc := range []struct {
		name string
		vars setting
		opts []Option
		want []string
	}{
		{"a config without a digest", setting{envConfigDigest: ""}, ok, []string{"PLAIT_CONFIG_SHA256 isn't set"}},
		{"no config", setting{envConfig: "/nowhere/config.json"}, ok, []string{"PLAIT_CONFIG: open /nowhere/config.json"}},
		{"no way to know who asks", setting{envAuth: ""}, ok, []string{"PLAIT_AUTH isn't set: bearer lets in"}},
		{"a way that isn't there yet", setting{envAuth: "jwt"}, ok, []string{"PLAIT_AUTH is jwt, which this release doesn't have"}},
		{"no keys", setting{envAuth: authBearer, envAuthKeys: "/nowhere"}, ok, []string{"PLAIT_AUTH_KEYS: open /nowhere"}},
		{"the config of another", setting{envNamespace: "other", envTemplate: "test", envHarness: "strict"}, ok,
			[]string{`PLAIT_NAMESPACE is "other", but the config is for "default"`, `PLAIT_HARNESS is "strict", but the config is for "standard"`}},
		{"a document that names what isn't there", nil, nil,
			[]string{`error[unknown-reference]: no function "work" is registered`, "agents[root].nodes[work].function"}},
		{"parts that can't be registered", nil,
			[]Option{WithFunction("work", work), WithFunction("work", work), WithFunction("", work), WithFunction("none", nil), WithTool(nil),
				WithScheduler("work", scheduler), WithHook("idle", Hook{})},
			[]string{`"work" was registered as a function and as a scheduler`, `the function "work" was registered twice`, "a function was registered without a name",
				`the function "none" that was registered is nil`, `the tool "" that was registered is nil`, `the hook "idle" that was registered is nil`}},
		{"everything at once", setting{envAuth: "ldap", envListen: "8080", envHealthListen: ":http", envURL: "agent", envFsync: "maybe",
			envMaxRuns: "0", envMaxBody: "4M", envDrainDelay: "5", envGrace: "-1s", envLogLevel: "loud"}, nil,
			[]string{"PLAIT_AUTH is", "PLAIT_LISTEN is", "PLAIT_HEALTH_LISTEN is", "PLAIT_URL is", "PLAIT_FSYNC is", "PLAIT_MAX_CONCURRENT_RUNS is",
				"PLAIT_MAX_BODY_BYTES is", "PLAIT_DRAIN_DELAY is", "PLAIT_GRACE_PERIOD is", "PLAIT_LOG_LEVEL is", "unknown-reference"}},
	} {
		t.Run(tc.name, func(t *testing.T) { refused(t, newSetting(t, config).with(tc.vars), tc.opts, tc.want...) })
	}
}

func TestRefuses_servers_that_are_started_by_a_command(t *testing.T) {
	config := harnesstest.SupportTriage(t, "", func(cfg *adkconfigv1.AgentConfig) {
		cfg.McpServers["crm"] = &adkconfigv1.MCPServer{Endpoint: &adkconfigv1.MCPServer_Stdio{
			Stdio: &adkconfigv1.MCPServerStdio{Command: []string{"crm"}},
		}}
	})
	refused(t, newSetting(t, config), nil, "mcp server crm: it is started by a command, which this program doesn't do")
}

func TestRefuses_a_wrong_command_line(t *testing.T) {
	for _, args := range [][]string{{"--frobnicate"}, {"serve"}} {
		code, _, errs := setting{}.run(t, args)
		if code != exitRefused || errs == "" {
			t.Errorf("%v: %d %q", args, code, errs)
		}
	}
	if code, _, errs := (setting{}).run(t, []string{"--help"}); code != exitOK || !strings.Contains(errs, "-capabilities") {
		t.Errorf("--help: %d %q", code, errs)
	}
}

// The message may be longer than Kubernetes keeps.
func TestTerminationLog_is_short(t *testing.T) {
	s := newSetting(t, nil)
	p := s.process(nil, nil)
	if err := p.leaveMessage(strings.Repeat("ü", 4000)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(s[envTerminationLog])
	if err != nil || len(text) > maxMessage || strings.Trim(string(text), "ü") != "" {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	s[envTerminationLog] = "/nowhere/log"
	if err := p.leaveMessage("x"); err == nil {
		t.Error("a log that can't be written is no error")
	}
}

func TestCapabilities(t *testing.T) {
	code, out, _ := setting{}.run(t, []string{"--capabilities"}, WithFunction("work", work), WithFunction("add", work))
	var got capabilities
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != exitOK {
		t.Fatal(code, err, out)
	}
	want := capabilities{Documents: true, Functions: []string{"add", "work"}, Tools: []string{}, Hooks: []string{}, ConfigVersions: []string{"v1"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if code, _, errs := (setting{}).run(t, []string{"--capabilities"}, WithTool(nil)); code != exitRefused || errs == "" {
		t.Errorf("with a part that is nil: %d %q", code, errs)
	}
}

func TestVersion(t *testing.T) {
	code, out, _ := setting{}.run(t, []string{"--version"})
	if code != exitOK || !strings.HasPrefix(out, "harness ") {
		t.Errorf("%d %q", code, out)
	}
}

func TestCheck(t *testing.T) {
	good := newSetting(t, harnesstest.Config(t, document, ""))
	if code, _, errs := good.run(t, []string{"--check"}, WithFunction("work", work)); code != exitOK {
		t.Errorf("a sound config: %d %s", code, errs)
	}
	if _, err := os.Stat(good[envData]); err == nil {
		t.Error("--check has made the store")
	}
	away := newSetting(t, harnesstest.SupportTriage(t, "http://127.0.0.1:1/mcp"))
	if code, _, errs := away.run(t, []string{"--check"}); code != exitFailed || !strings.Contains(errs, "crm") {
		t.Errorf("a server that is away: %d %s", code, errs)
	}
	if code, _, _ := good.run(t, []string{"--check"}); code != exitRefused {
		t.Errorf("a function that isn't there: %d", code)
	}
}

func scheduler(*workflow.Context, any, build.RunChild) (workflow.Result, error) {
	return workflow.Result{}, nil
}
