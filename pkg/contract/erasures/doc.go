// Package erasures is the contract of what removes personal data and controlled designs: the
// commands' data, and the record that it was done.
package erasures
