package core

import (
	"errors"
	"fmt"
	"time"
)

// ErrCutStream is what a model call failed with when its stream ended before the terminal event. Nothing of such an
// answer is acted on, and the call may be repeated.
var ErrCutStream = errors.New("the model's stream was cut: it ended before its terminal event")

// ProviderError is a failure of a model call, with what decides about a retry.
type ProviderError struct {
	// Status is the HTTP status, or 0 when there was none.
	Status int

	// Class says what kind of failure it is, in one vocabulary for all vendors; empty when nobody classified it.
	Class ErrorClass

	// Type and Code are the vendor's own words for the error, such as "overloaded_error" and "context_length_exceeded";
	// each may be empty.
	Type string
	Code string

	// Message is the vendor's text, without credentials.
	Message string

	// RetryAfter is how long the vendor asks to wait; 0 means that it didn't say.
	RetryAfter time.Duration

	// Err is the cause, if there is one.
	Err error
}

// Error gives the message behind what is known of type and status.
func (e *ProviderError) Error() string {
	msg := e.Message
	if msg == "" && e.Err != nil {
		msg = e.Err.Error()
	}
	switch {
	case e.Status != 0 && e.Type != "":
		return fmt.Sprintf("%s (status %d): %s", e.Type, e.Status, msg)
	case e.Status != 0:
		return fmt.Sprintf("status %d: %s", e.Status, msg)
	case e.Type != "":
		return fmt.Sprintf("%s: %s", e.Type, msg)
	}
	return msg
}

// Unwrap returns the cause.
func (e *ProviderError) Unwrap() error { return e.Err }

// ErrorClass says what kind of failure a [ProviderError] is, as far as it makes a difference to the caller.
type ErrorClass string

// The classes.
const (
	ClassRateLimited   ErrorClass = "rate-limited"   // too many requests or tokens in a time: passes
	ClassOverloaded    ErrorClass = "overloaded"     // the vendor is short of capacity: passes
	ClassUnavailable   ErrorClass = "unavailable"    // not reached, timed out, or failed on the vendor's side: may pass
	ClassCut           ErrorClass = "cut"            // the answer ended before its terminal event: may pass
	ClassAuth          ErrorClass = "auth"           // the credential is missing, wrong, or not allowed to do this
	ClassQuota         ErrorClass = "quota"          // the account has nothing left to spend
	ClassContext       ErrorClass = "context"        // the request is longer than the model's context
	ClassContentPolicy ErrorClass = "content-policy" // the vendor refuses the content
	ClassBadRequest    ErrorClass = "bad-request"    // the vendor doesn't accept the request as it is
	ClassBadAnswer     ErrorClass = "bad-answer"     // the vendor's answer can't be understood
)

// Transient reports whether the same call may succeed later: a cut stream, too many requests, an overloaded or
// unreachable vendor. Any other refusal will be the same next time.
func Transient(err error) bool {
	if errors.Is(err, ErrCutStream) {
		return true
	}
	var pe *ProviderError
	if !errors.As(err, &pe) {
		return false
	}
	switch pe.Class {
	case ClassRateLimited, ClassOverloaded, ClassUnavailable, ClassCut:
		return true
	case "": // decided by the status
	default:
		return false
	}
	return pe.Status == 408 || pe.Status == 429 || pe.Status >= 500 || pe.Status == 0 && pe.Err != nil
}
