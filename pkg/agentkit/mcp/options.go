package mcp

import (
	"log/slog"
	"os"
	"time"
)

// PoolOptions holds what all servers of a pool have in common. The zero value is ready to use.
type PoolOptions struct {
	// ClientName and ClientVersion are what servers are told about us; "plait" and "dev" by default.
	ClientName    string
	ClientVersion string

	// ConnectTimeout limits one attempt to connect, from starting the child or dialling to the list of tools; 60 seconds
	// by default, which leaves time for a server that has to be compiled or downloaded first.
	ConnectTimeout time.Duration

	// ProbeTimeout is how long a server may leave the question for the newest revision unanswered before it is taken
	// for one that doesn't know the question; 10 seconds by default.
	ProbeTimeout time.Duration

	// WriteTimeout is how long a child may leave a message in its stdin unread before it is given up; 10 seconds by
	// default.
	WriteTimeout time.Duration

	// CloseTimeout is what [Pool.Close] takes at most for a server that doesn't go by itself; 5 seconds by default.
	CloseTimeout time.Duration

	// MaxMessageBytes limits one inbound message, after decompression; 4 MiB by default. Decoding takes about 14 times
	// that for a moment.
	MaxMessageBytes int

	// Environ is the environment of which children inherit a part, in the form of [os.Environ], which is the default.
	Environ []string

	// RefuseLoopback refuses servers at loopback addresses, as is right where loopback is shared with others' sidecars.
	RefuseLoopback bool

	// Logger gets warnings about servers; nil discards them.
	Logger *slog.Logger
}

func (o *PoolOptions) withDefaults() *PoolOptions {
	var out PoolOptions
	if o != nil {
		out = *o
	}
	orString := func(s *string, def string) {
		if *s == "" {
			*s = def
		}
	}
	orDuration := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	orString(&out.ClientName, "plait")
	orString(&out.ClientVersion, "dev")
	orDuration(&out.ConnectTimeout, time.Minute)
	orDuration(&out.ProbeTimeout, 10*time.Second)
	orDuration(&out.WriteTimeout, 10*time.Second)
	orDuration(&out.CloseTimeout, 5*time.Second)
	if out.MaxMessageBytes <= 0 {
		out.MaxMessageBytes = 4 << 20
	}
	if out.Environ == nil {
		out.Environ = os.Environ()
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	return &out
}
