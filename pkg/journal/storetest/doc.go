// Package storetest is the suite that every [journal.Store] passes, with what tests of its users need: sample logs, and
// a store that fails on purpose.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) journal.Store { return mystore.New(t.TempDir()) })
//	}
package storetest
