package benchkit

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// Peer is a module that is compared with, and what it is called.
type Peer struct{ Name, Module string }

// Head says where and with what the numbers were measured: two lines. Module is what is compared with, called name.
func Head(name, module string, samples int) string { return HeadOf(samples, Peer{name, module}) }

// HeadOf is [Head] of any number of peers.
func HeadOf(samples int, peers ...Peer) string {
	versions := []string{runtime.Version()}
	for _, p := range peers {
		versions = append(versions, p.Name+" "+version(p.Module))
	}
	return fmt.Sprintf("%s, %d cores, %s/%s, load %s\n%s, medians of %d, %s\n",
		processor(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, load(), strings.Join(versions, ", "), samples,
		time.Now().UTC().Format("2006-01-02 15:04 UTC"))
}

// processor is the name of the processor, where the system tells it.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	found := regexp.MustCompile(`(?m)^model name\s*:\s*(.+)$`).FindSubmatch(text)
	if err != nil || found == nil {
		return "unknown processor"
	}
	return string(found[1])
}

// load is the load of the machine in the last minute, where the system tells it.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// version is that of a module that the program was built with.
func version(module string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "of unknown version"
	}
	for _, dep := range info.Deps {
		if dep.Path == module {
			return dep.Version
		}
	}
	return "of unknown version"
}
