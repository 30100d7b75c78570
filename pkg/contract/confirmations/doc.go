// Package confirmations is the contract of codes that customers are sent, and of what they
// confirm.
package confirmations
