// Package assemblies is the contract of boards with their parts: what is bought, where it
// goes, and what assembling costs.
package assemblies
