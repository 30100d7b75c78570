// Package classify tells what every file of an upload is: its format from its
// content, and the role of every artwork and drill file from all that speaks
// of it.
//
// # How a role is found
//
// A file name is one evidence among several, and a weak one. Each [Witness]
// names a role with a weight: attributes inside the file (X2, also in comment
// form), the job file, the reports that Altium writes beside its Gerbers, the
// comments of Allegro, EasyEDA and gEDA, the extension, and the words of the
// name once what all names share is taken away. [Set] adds them up for every
// file, tells boards apart ([Group]), orders the copper of each and settles
// what only the set as a whole can tell, such as which of several mechanical
// layers is the outline.
//
// Nothing is ignored in silence: every file gets a format, a role where it has
// one, a reason in words and a confidence.
package classify
