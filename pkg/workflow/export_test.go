package workflow

// WithHandOver makes an Env whose runs call f wherever a goroutine hands something over to another one.
func WithHandOver(e Env, f func()) Env {
	e.handOver = f
	return e
}

// Goroutines counts the goroutines that a run has started to execute bodies, that of the asking body included.
func Goroutines(ctx *Context) int {
	c := ctx.run().crew
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.started
}
