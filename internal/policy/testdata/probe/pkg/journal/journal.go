// Package journal breaks a rule through a file for one system.
package journal
