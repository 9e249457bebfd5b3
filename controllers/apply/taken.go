package apply

import (
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// TakenError says that an object of a name belongs to somebody else.
type TakenError struct {
	Kind, Name, Owner string
	// Rival says that the owner is another template, which would make the object again if it were deleted.
	Rival bool
}

// Error names the owner, and says what to do.
func (e *TakenError) Error() string {
	remedy := "delete or rename it, it isn't taken over"
	if e.Rival {
		remedy = "rename this template or the Harness, both pairs make the same name"
	}
	return fmt.Sprintf("the %s %s belongs to %s; %s", e.Kind, e.Name, e.Owner, remedy)
}

// taken says to whom an object belongs; nil for the template that wants it.
func taken(have, want client.Object) *TakenError {
	owner, mine := metav1.GetControllerOf(have), metav1.GetControllerOf(want)
	e := &TakenError{Kind: kindOf(want), Name: want.GetName()}
	switch {
	case owner == nil:
		e.Owner = "nobody"
	case owner.UID == mine.UID: // and with the template the name says which harness it is for
		return nil
	case owner.APIVersion != mine.APIVersion || owner.Kind != mine.Kind:
		e.Owner = owner.Kind + " " + owner.Name
	case owner.Name == mine.Name:
		e.Owner = "an AgentTemplate " + owner.Name + " that is gone"
	default:
		e.Owner, e.Rival = owner.Kind+" "+owner.Name, true
	}
	return e
}
