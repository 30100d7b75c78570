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
package upload
