// Package easyeda reads boards of EasyEDA Standard and EasyEDA Pro as their own files
// hold them: layers, copper, holes, outline, nets, parts and, of Pro, the stackup.
//
//	boards, findings := easyeda.Read(ctx, []easyeda.File{{Name: "PCB.json", Data: data}})
//
// EasyEDA Standard keeps a document as JSON whose shapes are strings with fields between
// tildes, measured in 10 mil with Y downwards. EasyEDA Pro keeps a project as an archive
// of documents whose lines are JSON each, measured in mil with Y upwards; a newer one
// keeps them as a log, of which the last line about an object counts.
//
// Both kinds store the copper of their pours, unless the project was saved before they
// were poured: such a pour is left out, and a finding names it. Pads are drawn with the
// mask and paste that they state. Whatever is on copper, mask, paste or outline and is
// not understood is counted in a finding of the level problem.
package easyeda
