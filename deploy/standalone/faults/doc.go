// Package faults proves that the system loses nothing and does nothing twice:
// its test runs every service as a process of its own, lets customers ask for
// quotes and pay for boards while services and broker are killed at random, and
// then compares what the customers were told, the streams, the projection and
// the books of the simulated companies with each other.
//
//	go test ./faults                          # the short form
//	go test ./faults -faults -timeout 20m     # some thousand quotes, some hundred payments
//	go test ./faults -seed 42                 # the same schedule of kills again
//
// BIN_DIR names a folder of built programs to use instead of building them.
package faults
