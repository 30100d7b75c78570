// Package uploads is the contract of uploads: sets of design files, their limits and where
// they lie.
package uploads
