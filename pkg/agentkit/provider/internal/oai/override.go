package oai

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Override is one deviation of a profile that a configuration may set by name, for servers that no profile describes. The
// two wires share no name, so that what was meant for one isn't taken by the other.
type Override[P any] struct {
	Key   string
	Takes string                        // what is expected, for messages
	Set   func(p *P, value string) bool // false: it is something else
}

// Apply sets deviations over a profile.
func Apply[P any](profile P, known []Override[P], changes map[string]string) (P, error) {
	for _, key := range slices.Sorted(maps.Keys(changes)) {
		n := slices.IndexFunc(known, func(o Override[P]) bool { return o.Key == key })
		if n < 0 {
			return profile, fmt.Errorf("override %q: one of %s is expected", key, strings.Join(Keys(known), ", "))
		}
		if !known[n].Set(&profile, changes[key]) {
			return profile, fmt.Errorf("override %s: %s is expected, not %q", key, known[n].Takes, changes[key])
		}
	}
	return profile, nil
}

// Keys returns the names of overrides.
func Keys[P any](known []Override[P]) []string {
	keys := make([]string, len(known))
	for i, o := range known {
		keys[i] = o.Key
	}
	return keys
}

// Flag is an override of a boolean.
func Flag[P any](key string, field func(*P) *bool) Override[P] {
	return Override[P]{Key: key, Takes: "true or false", Set: func(p *P, value string) bool {
		*field(p) = value == "true"
		return value == "true" || value == "false"
	}}
}

// Word is an override of a word that is one of several.
func Word[P any, W ~string](key string, field func(*P) *W, words map[string]W) Override[P] {
	takes := strings.Join(slices.Sorted(maps.Keys(words)), ", ")
	return Override[P]{Key: key, Takes: "one of " + takes, Set: func(p *P, value string) bool {
		word, ok := words[value]
		*field(p) = word
		return ok
	}}
}

// Number is an override of a number that isn't negative.
func Number[P any](key string, field func(*P) *int) Override[P] {
	return Override[P]{Key: key, Takes: "a number from 0 on", Set: func(p *P, value string) bool {
		n, err := strconv.Atoi(value)
		*field(p) = n
		return err == nil && n >= 0
	}}
}

// List is an override of words behind commas; an empty one says that there are none.
func List[P any](key string, field func(*P) *[]string) Override[P] {
	return Override[P]{Key: key, Takes: "words with commas between them", Set: func(p *P, value string) bool {
		*field(p) = strings.FieldsFunc(value, func(c rune) bool { return c == ',' || c == ' ' })
		return true
	}}
}
