package mcp

import (
	"runtime"
	"slices"
	"strings"
)

// inheritedEnv lists the variables that a child gets from our environment: what a program needs to find its files, its
// user's settings and its locale. Everything else, tokens and keys above all, a server gets only by configuration.
func inheritedEnv() []string {
	if runtime.GOOS == "windows" {
		return []string{
			"APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE",
			"PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE",
		}
	}
	return []string{
		"HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER",
		"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
	}
}

// childEnv builds a child's environment. Configured variables win; the result is sorted.
func childEnv(environ []string, configured map[string]string) []string {
	keep := inheritedEnv()
	var env []string
	for _, entry := range environ {
		name, _, ok := strings.Cut(entry, "=")
		if !ok || !slices.ContainsFunc(keep, func(k string) bool { return sameEnvName(k, name) }) {
			continue
		}
		if _, own := lookupEnv(configured, name); !own {
			env = append(env, entry)
		}
	}
	for name, value := range configured {
		env = append(env, name+"="+value)
	}
	slices.Sort(env)
	return env
}

func lookupEnv(env map[string]string, name string) (string, bool) {
	for k, v := range env {
		if sameEnvName(k, name) {
			return v, true
		}
	}
	return "", false
}

// sameEnvName compares names as the operating system does.
func sameEnvName(a, b string) bool {
	if runtime.GOOS == "windows" {
		return strings.EqualFold(a, b)
	}
	return a == b
}
