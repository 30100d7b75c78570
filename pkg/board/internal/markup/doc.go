// Package markup reads the XML of board files fast and safely: a walk over the
// elements of a byte slice, without recursion, external entities or documents in
// memory.
//
// It is lenient, as readers of real files must be: a missing end tag is taken to
// stand where an outer one closes, a stray one is ignored, a file that is cut off
// ends there, and Faults says so with lines. Only the five named entities of XML
// and character references are resolved; others stay as they are written.
package markup
