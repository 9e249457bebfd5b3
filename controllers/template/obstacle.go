package template

import (
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/plait-dev/plait/api/v1alpha1"
	"github.com/plait-dev/plait/controllers/apply"
	"github.com/plait-dev/plait/controllers/status"
)

// obstacle is what somebody has to take out of the way before a revision can be rolled out; nil for an error that passes
// by itself.
func obstacle(err error) *status.Obstacle {
	var taken *apply.TakenError
	switch {
	case errors.As(err, &taken):
		return &status.Obstacle{Reason: v1alpha1.ReasonNameTaken, Message: taken.Error()}
	case apierrors.IsInvalid(err), apierrors.IsForbidden(err), apierrors.IsBadRequest(err):
		return &status.Obstacle{Reason: v1alpha1.ReasonRejected, Message: err.Error()}
	default:
		return nil
	}
}

// repeatable says whether it is of use to try again what has failed. An object that is invalid stays so until something
// changes that is watched, and so does a name that is taken. What an admission controller refuses now it may let through
// later, and nothing tells.
func repeatable(err error) bool {
	var taken *apply.TakenError
	return err != nil && !errors.As(err, &taken) && !apierrors.IsInvalid(err)
}
