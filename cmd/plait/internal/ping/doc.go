// Package ping calls a model once, as cheaply as it can be called, and says in words what is wrong when that fails.
package ping
