// Package bus is JetStream as the services use it: streams as declared in the
// contract, commands with retries and dead letters, events committed with an
// expected last sequence, timers, wake-up calls and small shared values.
//
// It is the only package that imports nats.go. What it promises: a command or
// event whose publish returned without error is stored; a handler sees each
// command at least once; an event is stored once.
package bus
