// Package cputime measures how much work a process has done. Tests that say how long something may take measure by it:
// unlike time on a clock it hardly depends on who else uses the machine.
package cputime
