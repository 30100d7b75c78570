// Package cases is the contract of the team's own work on a quote or an order: who has it,
// and what waits for a second operator.
package cases
