// Package asyncapi describes every command and event as an AsyncAPI 3 document, made of
// the Go types that services read and write. The file beside it is written by
// go generate; a test holds it to the types, another the stored samples to it.
package asyncapi

//go:generate go run ./cmd/asyncapi asyncapi.yaml
