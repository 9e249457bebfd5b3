package run

import (
	"context"
	"sync"
)

// keyLock is a mutex for each key. The zero value is ready for use.
type keyLock struct {
	mu   sync.Mutex
	held map[string]chan struct{} // closed when the key is free again
}

// lock waits for a key until ctx is done.
func (l *keyLock) lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		free := l.take(key)
		if free == nil {
			return func() { l.free(key) }, nil
		}
		select {
		case <-free:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// take takes a key, or returns what is closed when it may be free.
func (l *keyLock) take(key string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if taken, held := l.held[key]; held {
		return taken
	}
	if l.held == nil {
		l.held = map[string]chan struct{}{}
	}
	l.held[key] = make(chan struct{})
	return nil
}

func (l *keyLock) free(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	close(l.held[key])
	delete(l.held, key)
}
