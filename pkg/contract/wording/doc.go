// Package wording writes counts and JSON values for people.
package wording
