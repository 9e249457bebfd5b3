// Package catalog says what is known of models: how much they read and write, how hard they can be told to think, and
// what they cost. It is data and pure functions; nothing is fetched.
//
// A model that isn't listed is found in three more ways: by another name of a listed one, as a version of it with a date
// behind the name, and, when only its family is known, by its nearest sibling, which [Found.Note] says. What isn't known
// of an entry is zero, and what a configuration knows better replaces it, see [Override].
package catalog
