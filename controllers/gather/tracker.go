package gather

import (
	"cmp"
	"maps"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Ref names an object of the user's namespace. An empty name stands for which objects of the kind there are.
type Ref struct{ Kind, Name string }

// Tracker knows who uses which objects: a user is a template or a harness, by its name. It is safe for concurrent use, and
// its zero value is ready.
type Tracker struct {
	mu    sync.Mutex
	uses  map[types.NamespacedName]refs
	users map[place]map[types.NamespacedName]struct{}
}

type refs map[Ref]struct{}

// place is a Ref with its namespace.
type place struct {
	namespace string
	ref       Ref
}

// Begin begins the gathering of one user. What it used before counts until [Uses.End].
func (t *Tracker) Begin(user types.NamespacedName) *Uses {
	return &Uses{tracker: t, user: user, touched: refs{}}
}

// Users returns who uses an object, sorted by name.
func (t *Tracker) Users(namespace string, ref Ref) []types.NamespacedName {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.SortedFunc(maps.Keys(t.users[place{namespace, ref}]), func(a, b types.NamespacedName) int {
		return cmp.Compare(a.Name, b.Name)
	})
}

// Forget drops a user that is gone.
func (t *Tracker) Forget(user types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keep(user, nil)
}

func (t *Tracker) touch(user types.NamespacedName, ref Ref) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.uses == nil {
		t.uses = map[types.NamespacedName]refs{}
		t.users = map[place]map[types.NamespacedName]struct{}{}
	}
	if t.uses[user] == nil {
		t.uses[user] = refs{}
	}
	t.uses[user][ref] = struct{}{}
	at := place{user.Namespace, ref}
	if t.users[at] == nil {
		t.users[at] = map[types.NamespacedName]struct{}{}
	}
	t.users[at][user] = struct{}{}
}

// keep drops the uses of a user but those that are still made.
func (t *Tracker) keep(user types.NamespacedName, made refs) {
	for ref := range t.uses[user] {
		if _, ok := made[ref]; ok {
			continue
		}
		delete(t.uses[user], ref)
		at := place{user.Namespace, ref}
		delete(t.users[at], user)
		if len(t.users[at]) == 0 {
			delete(t.users, at)
		}
	}
	if len(t.uses[user]) == 0 {
		delete(t.uses, user)
	}
}

// Uses are the uses of one user while it gathers. They belong to one goroutine.
type Uses struct {
	tracker *Tracker
	user    types.NamespacedName
	touched refs
}

// Touch notes a use. It is called before the object is read: a change after the reading then finds the user.
func (u *Uses) Touch(ref Ref) {
	u.touched[ref] = struct{}{}
	u.tracker.touch(u.user, ref)
}

// End forgets what wasn't touched since the beginning. A gathering that failed isn't ended, so that nothing is lost.
func (u *Uses) End() {
	u.tracker.mu.Lock()
	defer u.tracker.mu.Unlock()
	u.tracker.keep(u.user, u.touched)
}
