// Package contract is the language that the services share: the commands they
// send, the events they commit, the states those events carry, the subjects
// and streams they travel on, and the errors that clients see.
//
// It holds types and their validation only. It knows no broker, no store and
// no HTTP, and imports nothing of ours.
package contract
