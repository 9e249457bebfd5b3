// Package benchkit measures what something costs beside something else: both run in turns within one process, so that what
// else happens on the machine happens to both. It is used by the programs that print the tables of docs/benchmarks.md, which are
// modules of their own because of what they compare with.
package benchkit
