// Package native uses cgo.
package native

import "C"
