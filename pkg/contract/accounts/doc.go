// Package accounts is the contract of partners' accounts and their API keys.
package accounts
