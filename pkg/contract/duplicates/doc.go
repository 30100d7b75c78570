// Package duplicates says how uploads and orders of the same files are found, so that a
// declaration of one reaches the others.
package duplicates
