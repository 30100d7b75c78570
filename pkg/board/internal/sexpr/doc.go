// Package sexpr reads the S-expressions of KiCad's files: it walks the children
// of the outermost list one at a time, without recursion, and keeps only the
// child at hand in memory, so that cost is linear in the file and memory is that
// of its largest element. Whoever wants to work on several children at once reads
// them into trees of their own.
//
// It knows nothing of what the lists mean. A truncated or unbalanced file is read
// as far as it goes: open lists are closed at the end of the data, and Faults
// says what was wrong and at which line.
package sexpr
