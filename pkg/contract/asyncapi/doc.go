// Package asyncapi describes every command and event as an AsyncAPI 3 document, made of
// the Go types that services read and write, and lists what is declared for the
// handbook. Both files are written by go generate; a test holds them to the types,
// another the stored samples to the document.
package asyncapi

//go:generate go run ./cmd/asyncapi asyncapi.yaml ../../../deploy/handbook/messages.md
