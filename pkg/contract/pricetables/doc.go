// Package pricetables has the price of one board in several quantities, builds and
// destinations: its state, the command that asks for it, and its event.
package pricetables
