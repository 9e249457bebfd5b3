// Command mutate shows that tests can fail. Each row of rows.tsv is a behaviour that breaks without a sign: nothing
// crashes, no error is returned, and only a test that was written for it notices. For each row the wrong implementation
// is kept as a patch. The command puts one patch at a time into an overlay of the source tree, which isn't touched, and
// runs the row's tests: they have to turn red.
//
// A row says what state its behaviour is in: live, with a patch and tests; open, when it isn't built yet, and what is
// missing; or void, when it can't hold here, and why not.
//
// It fails on a row that is missing, a patch that doesn't apply to exactly one place, changes nothing but comments or
// doesn't compile, a test that doesn't exist or is red or skipped without the mutation, and a mutation that the tests
// don't notice. With -check it leaves out what needs a compiler.
package main
