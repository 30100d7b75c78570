// Package excellon reads NC drill and rout programs: Excellon formats 1 and 2,
// the XNC subset, and the simple part of Sieb & Meyer.
//
// Real drill files leave out what a reader needs most. The unit, the number of
// integer and decimal places and which zeros were dropped are often unstated,
// sometimes stated wrongly. Read therefore works in three steps:
//
//  1. scan the program into operations whose numbers are still bare digits,
//     collecting every statement of the header and the comments;
//  2. settle the number format ([Format]) from those statements and, where
//     they are silent or impossible, from the evidence: digit counts, tool
//     sizes, the extents of the board and the pads the holes must hit;
//  3. run the operations into holes, slots and routed paths in nanometres.
//
// Whatever was assumed rather than read is said in a [Finding]. Nothing in a
// file makes Read fail: what cannot be understood is reported with its line.
package excellon
