// Package policy holds the rules that no compiler knows, and the checks that keep them: who may import what, whose
// licences we take, that nothing registers itself, that no file grows without end. The rules are data, in rules.go;
// the tests of this package apply them to the repository, and show for each rule that it can fail.
package policy
