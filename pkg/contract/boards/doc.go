// Package boards is the contract of what is read from a set of design files: its facts,
// findings, pictures and packages, and the answers that settle what the files leave open.
package boards
