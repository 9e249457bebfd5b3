// Package canned is a vendor without a network: it keeps what it is asked and answers with what it was given.
package canned
