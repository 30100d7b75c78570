// Package checkouts is the contract of how one quote is paid.
package checkouts
