// Package upload turns an upload into boards: it is the one entry that services
// call to read design files.
//
// [Read] classifies the files, reads artwork, drills, job files, netlists,
// reports and design-tool projects in parallel, joins what belongs together
// into boards, states the facts that follow with their provenance, and checks
// them against each other. It never fails as a whole: what cannot be read, is
// missing or contradicts itself becomes a finding, and everything else is still
// read.
//
// Gerbers are what would be built. Where a project of a design tool lies beside
// them both are read and compared; the project then adds what Gerbers cannot
// say, such as components and stackup.
//
// The order stands in two functions. makeBoard makes one board of the artwork of
// a group, stage by stage: which layer each file is (artwork, roles, boardedge,
// copperlayers), the holes (drills, holes), the edge (outline, drawings), what
// other files say (jobfile, netlist, parts, stackup), what follows (boardfacts)
// and what is wrong (checks, missingholes). readOnce does the rest for the whole
// upload: whole boards (sources), which boards are one (merge), panels (panel),
// fabrication notes (notes) and special processes (processes). Each stage is a
// package below this one that can be built and tested alone.
package upload
