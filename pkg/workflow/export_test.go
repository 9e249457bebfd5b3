package workflow

// WithHandOver makes an Env whose runs call f wherever a goroutine hands something over to another one.
func WithHandOver(e Env, f func()) Env {
	e.handOver = f
	return e
}
