// Package contract is the language that the services share: what commands, events,
// refusals and operations are, the subjects, streams and buckets they travel on and lie
// in, and the codes of the errors that clients see.
//
// The commands, events and states of one aggregate are in the package of its name below:
// quotes, orders, formal and so on. What several of them use is in prices, shipments and
// wording, and registry lists them all. Imports go one way: every package here may import
// this one, and this one imports none of them.
//
// All of them hold types, their validation, and the rules that two services must answer
// alike. They know no broker, no store and no HTTP, and import nothing of ours but words.
package contract
