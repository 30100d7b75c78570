// Package invoices is the contract of invoices, credit notes and the book that numbers them.
package invoices
