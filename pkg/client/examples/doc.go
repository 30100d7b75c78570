// Package examples has programs, each a file, that show how the library is used:
//
//	go run first_quote.go hardware
package examples
