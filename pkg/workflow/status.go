package workflow

// status is the state of an activation. All but the last three are live: something may still come of them.
type status uint8

const (
	queued status = iota
	running
	backoff
	waiting
	done
	failed
	canceled
)

func (s status) String() string {
	return [...]string{"queued", "running", "backoff", "waiting", "done", "failed", "canceled"}[s]
}

func (s status) live() bool { return s < done }

// mayBecome is the table of the transitions that there are.
func (s status) mayBecome(t status) bool {
	switch s {
	case queued:
		return t == running || t == canceled
	case running:
		return t == done || t == failed || t == backoff || t == waiting || t == canceled
	case backoff, waiting:
		return t == running || t == canceled
	default:
		return false
	}
}
