// Package altium reads boards of Altium Designer, CircuitMaker and CircuitStudio
// (.PcbDoc, .CMPcbDoc, .CSPcbDoc): layers and stackup, outline with cutouts, copper,
// masks, stencils, silkscreen, holes, nets, design rules and parts.
//
//	boards, findings := altium.Read(ctx, []altium.File{{Name: "board.PcbDoc", Data: data}})
//
// The files are compound files with a folder for each kind of object, whose streams
// hold records; lengths are 1/10000 mil and become nanometres by rounding 2.54 times
// their number, halves away from zero. Places are given from the origin that the
// designer set. Pours are drawn as the file stores them. The sizes of mask and stencil
// openings are those that the program worked out and stored with each pad and via.
//
// What would be built wrongly is not read: internal planes, whose splits and reliefs
// the program works out on output, several layer stacks, embedded boards, shapes of
// pads that are not known. A finding then names it and asks for Gerbers, and there is
// no board. Lettering is drawn with plain strokes.
package altium
