// Package cost turns the usage that a vendor reports into US dollars.
package cost
