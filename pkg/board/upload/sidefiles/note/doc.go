// Package note reads fabrication notes: the readme that tells a fabricator, in
// plain words, what no artwork file has a field for. Thickness, finish, colours,
// copper, material and the like are found line by line; every statement keeps
// its line, so that a customer can be shown where it was read.
//
// Words are uncertain. A file counts as fabrication notes only when it makes
// several such statements; see [Read].
package note
