// Package prices has the lines of a price and the words for what they pay for.
package prices
