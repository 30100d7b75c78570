// Package faults proves that the system loses nothing and does nothing twice:
// its tests run three broker nodes, as production has them, and two of every service,
// each a process of its own, let customers ask for quotes and pay for boards while something goes
// wrong, and then compare what the customers got, the streams, the projection
// and the ledger of the simulated companies with each other.
//
//   - TestScenarios lets one thing after the other go wrong: see scenarios.
//   - TestFaults kills processes and broker nodes at random. Only with -faults.
//   - TestLoad offers quotes in an open loop beside the scenarios. Only with -load.
//
// How to run them:
//
//	go test ./faults                          # the short form: some scenarios
//	go test ./faults -only 'clock|edges'      # those whose name holds one of these
//	go test ./faults -faults -still 90s -timeout 60m
//	go test ./faults -run TestLoad -load 10m -rate 50 -timeout 60m
//	go test ./faults -seed 42                 # the same requests and kills again
//
// The long form of TestScenarios also bounds how long a request waits while a broker
// is restarted or killed, which is a measurement: it wants a quiet machine.
//
// BIN_DIR names a folder of built programs to use instead of building them.
package faults
