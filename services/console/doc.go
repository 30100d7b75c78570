// Package console is the operator's side: accounts and their API keys, the
// queues that people work on, the event streams and the dead letters.
package console
