// Package simulation drives the decisions of every service through an event
// system in memory that duplicates, delays, reorders, loses answers, and dies
// between any two effects, thousands of seeds a run. It holds only tests.
package simulation
