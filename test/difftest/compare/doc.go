// Package compare finds what two JSON texts say differently, and takes the bytes of values out of them.
package compare
