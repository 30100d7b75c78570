// Package registry lists what the contract declares of each aggregate and each command, and
// the streams and buckets that follow from it. It is the one package that knows all others.
package registry
