// Package eagle reads boards of Autodesk EAGLE 6 and later, whose .brd files
// are XML: layers, copper, drills, nets, parts, design rules and the stackup
// that these state.
//
//	boards, findings := eagle.Read(ctx, []eagle.File{{Name: "board.brd", Data: data}})
//
// The sizes of pads, vias, mask openings and stencil openings follow from the
// design rules, as in EAGLE. Most files hold no fills of pours: a pour is then
// the area of its outline, drawn with its width, from which what belongs to
// other nets is kept away by its isolation; thermal spokes and removed islands
// are not known, and a finding says so. EAGLE 9.7 and Fusion may keep the copper
// of a pour (polygonpour), which is drawn as it is. Lettering is drawn with plain
// strokes.
package eagle
