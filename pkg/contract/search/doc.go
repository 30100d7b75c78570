// Package search says what people find an aggregate by.
package search
