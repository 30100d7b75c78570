// Package figures says by what the team's desk counts and lists: the day that something
// is of, and what of a payment a person has to look at.
package figures
