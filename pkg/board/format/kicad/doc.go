// Package kicad reads KiCad projects, versions 4 to 10 (and the 2013 board
// format before them), as if they had been plotted: copper, mask, paste and silkscreen
// layers, holes, nets, components, the board's outline and what its setup states.
//
// [Read] takes all files of an upload and gives one board for every .kicad_pcb
// among them, each joined with what lies beside it: .kicad_pro or .pro (rules and
// net classes), .kicad_sch or .sch (fields of the parts list, through the sheets that the
// project's root reaches) and .kicad_dru (custom rules, kept as text). Files of
// other kinds are passed over.
//
//	boards, findings := kicad.Read(ctx, []kicad.File{{Name: "a/b.kicad_pcb", Data: data}, …})
//
// A reader of uploads calls it once with every file for which [Reads] holds, names
// being paths within the upload; a board's findings are with the board, findings
// about files that belong to none are returned. Each board's Name is the path of
// its .kicad_pcb without the extension. Nothing is written to Data, and board
// layers carry the board file's name.
//
// What a plot would draw is drawn: pads with the mask and paste margins of pad,
// footprint and board, openings over vias that are not tented, zones with the
// fills stored in the file, text as strokes of package stroke (outline fonts as the
// shapes that KiCad stored), the silkscreen with the mask taken off it where the plot
// settings say so, openings joined where the mask between pads would be narrower
// than the board's least width. A zone without stored fill is a finding, since a
// plot would leave it empty.
//
// A board's body is read in parts of some bytes, on all processors at once; what
// comes of it does not depend on how many there are.
//
// The Y axis is turned upwards; X and Y are otherwise those of the drawing sheet.
package kicad
