// Package stackups has the layer build-ups that the fabricator stocks.
package stackups
