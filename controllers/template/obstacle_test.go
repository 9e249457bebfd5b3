package template

import (
	"errors"
	"fmt"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/plait-dev/plait/controllers/apply"
)

func TestObstacle(t *testing.T) {
	deployments := schema.GroupResource{Group: "apps", Resource: "deployments"}
	for _, tt := range []struct {
		name   string
		err    error
		reason string
		again  bool
	}{
		{"a name that is taken", &apply.TakenError{Kind: "Service", Name: "a", Owner: "nobody"}, "NameTaken", false},
		{"an object that is invalid", apierrors.NewInvalid(schema.GroupKind{Group: "apps", Kind: "Deployment"}, "a", nil), "Rejected", false},
		{"one that is refused by a policy", apierrors.NewForbidden(deployments, "a", errors.New("no")), "Rejected", true},
		{"one that is refused by a webhook", apierrors.NewBadRequest("admission webhook denied the request"), "Rejected", true},
		{"a conflict", apierrors.NewConflict(deployments, "a", errors.New("uid")), "", true},
		{"an API server that is away", errors.New("connection refused"), "", true},
		{"an API server that is busy", apierrors.NewTooManyRequests("later", 1), "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := fmt.Errorf("while something was done: %w", tt.err)
			got := ""
			if o := obstacle(err); o != nil {
				got = o.Reason
			}
			if got != tt.reason || repeatable(err) != tt.again {
				t.Errorf("got %q, again %t, want %q, again %t", got, repeatable(err), tt.reason, tt.again)
			}
		})
	}
	if repeatable(nil) {
		t.Error("nothing that failed is tried again")
	}
}
