package journal

import "strings"

// StartNode is the pseudo node that stands for the entry of an instance.
const StartNode = "START"

// arrivalMark parts the join from the source in [End.Next].
const arrivalMark = "<"

// The prefixes of state keys that aren't a session's own: those that sessions of an application or of a user share, and
// those that live until their run ends.
const (
	AppPrefix  = "app:"
	UserPrefix = "user:"
	TempPrefix = "temp:"
)

// IsShared says that a key of the state belongs to more than one session.
func IsShared(key string) bool {
	return strings.HasPrefix(key, AppPrefix) || strings.HasPrefix(key, UserPrefix)
}

// IsPlain says that a key of the state belongs to one session, and stays in it when a run ends.
func IsPlain(key string) bool { return !IsShared(key) && !strings.HasPrefix(key, TempPrefix) }

// NodeOf returns the node of an activation: inner for outer@2/inner@1, START for outer@2/START.
func NodeOf(path string) string {
	node, _, _ := strings.Cut(path[len(InstanceOf(path)):], "@")
	return node
}

// InstanceOf returns what the paths of one instance begin with: "outer@2/" for outer@2/inner@1, "" for those of a run's
// root.
func InstanceOf(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// ParentOf returns the activation that an activation is a child of, "" for those of a run's root. The children of a
// later attempt are under d@1~2/, their parent is d@1.
func ParentOf(path string) string {
	parent := strings.TrimSuffix(InstanceOf(path), "/")
	if attempt := strings.LastIndexByte(parent, '~'); attempt > strings.LastIndexByte(parent, '/') {
		return parent[:attempt]
	}
	return parent
}

// isBelow reports whether an activation is a child of another one, or a child's child, in any of its attempts.
func isBelow(path, ancestor string) bool {
	rest, ok := strings.CutPrefix(path, ancestor)
	return ok && rest != "" && (rest[0] == '/' || rest[0] == '~')
}
