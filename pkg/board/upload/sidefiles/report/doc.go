// Package report reads the small text files that CAD systems write beside
// their artwork: Altium's extension report, layer pairs, drill report and
// design rules, and the NC parameters of Allegro. They often hold what the
// artwork itself does not say.
package report
