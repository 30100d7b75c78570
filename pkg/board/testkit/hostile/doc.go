// Package hostile makes uploads that cost much more than their size says, for tests:
// [Attacks] are those that were once too much, [Generate] makes others at random, in
// every format and in archives around them. Nothing is kept in files: each upload is
// built when it is asked for.
//
// What holds for all of them: reading, checking and drawing end in seconds and stay
// within a gigabyte or two, and what is not done to the end is said.
package hostile
