package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// settings are what the command line says.
type settings struct {
	metricsAddr, healthAddr string
	leaderElect             bool
	namespace               string
	watchNamespaces         []string
	harnessImage            string
	logLevel                slog.Level
	concurrency             int
}

// readSettings reads the command line. What is wrong with it is written to output, with the usage if it is a flag.
func readSettings(args []string, lookupEnv func(string) (string, bool), output io.Writer) (settings, error) {
	s := settings{}
	flags := flag.NewFlagSet("controller", flag.ContinueOnError)
	flags.SetOutput(output)
	flags.StringVar(&s.metricsAddr, "metrics-bind-address", ":8080", "`address` of /metrics; 0 serves none")
	flags.StringVar(&s.healthAddr, "health-bind-address", ":8081", "`address` of /healthz and /readyz; 0 serves none")
	flags.BoolVar(&s.leaderElect, "leader-elect", true, "let one of several replicas work, by a Lease in the namespace of the controller")
	flags.StringVar(&s.namespace, "namespace", "", "`namespace` of the controller; without it that of the variable POD_NAMESPACE")
	watch := flags.String("watch-namespaces", "", "`namespaces` to work in, separated by commas; without it all")
	flags.StringVar(&s.harnessImage, "harness-image", "", "`image` of managed harnesses, by digest")
	level := flags.String("log-level", "info", "least `level` of log lines: debug, info, warn or error")
	flags.IntVar(&s.concurrency, "concurrency", 4, "how many templates are worked on at once")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if s.namespace == "" {
		s.namespace, _ = lookupEnv("POD_NAMESPACE")
	}
	for name := range strings.SplitSeq(*watch, ",") {
		if name = strings.TrimSpace(name); name != "" {
			s.watchNamespaces = append(s.watchNamespaces, name)
		}
	}
	err := s.check(flags.Args(), *level)
	if err != nil {
		_, _ = fmt.Fprintln(output, err) // there is no other place to say so
	}
	return s, err
}

// check says what is wrong, all at once.
func (s *settings) check(rest []string, level string) error {
	var errs []error
	if len(rest) > 0 {
		errs = append(errs, fmt.Errorf("%q isn't a flag; there are no other arguments", rest[0]))
	}
	if s.namespace == "" {
		errs = append(errs, errors.New("--namespace isn't set, nor is POD_NAMESPACE: the controller keeps a Secret in its own namespace"))
	}
	if s.harnessImage == "" {
		errs = append(errs, errors.New("--harness-image isn't set: managed harnesses need an image"))
	}
	if s.concurrency < 1 {
		errs = append(errs, fmt.Errorf("--concurrency is %d, it must be at least 1", s.concurrency))
	}
	if err := s.logLevel.UnmarshalText([]byte(level)); err != nil {
		errs = append(errs, fmt.Errorf("--log-level is %q, it must be debug, info, warn or error", level))
	}
	return errors.Join(errs...)
}
