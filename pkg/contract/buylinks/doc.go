// Package buylinks is the contract of buy links: boards that partners offer on their pages.
package buylinks
