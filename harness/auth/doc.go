// Package auth says who sends a request. The answer is a principal, a name that sessions belong to; it travels in the
// request's context. There are two ways to it: [Keys], a folder of named credentials, and [None], where everybody is the
// same principal.
package auth
