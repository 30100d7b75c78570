// Package savings has what would make a quote cheaper: the state, the command that asks for
// it, and its event.
package savings
