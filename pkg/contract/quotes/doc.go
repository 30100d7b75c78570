// Package quotes is the contract of quotes: requests, instant prices, and reviews with the
// team's price.
package quotes
