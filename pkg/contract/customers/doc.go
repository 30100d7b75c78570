// Package customers is the contract of customers who come back, and of what they had saved.
package customers
