// Package odb reads ODB++ jobs, versions 6 to 8: a board for every step of the
// matrix, with its layers and their features, holes, profile, nets, components
// and the stackup that the attributes state.
//
// A job is a tree of files. [Roots] finds the folders in an upload that hold one,
// whatever archives they came in; [Read] takes the files with their paths (members
// of a .zip, .tgz or .tar already unpacked) and reads every job among them:
//
//	boards, findings := odb.Read(ctx, []odb.File{{Name: "job/matrix/matrix", Data: data}, …})
//
// A reader of uploads hands over every file under a root, and leaves those files
// to this package alone. Members compressed by Unix compress (features.Z) are
// unpacked here. Names are compared without regard to case. A board is named after
// its job's root (or archive) and, where a job has several steps, its step.
//
// All standard symbols and the job's own are drawn; text is drawn as strokes of
// package stroke. Rotations, which ODB++ counts clockwise, are turned round. Steps
// that repeat others (panels) are boards of their own with Facts.Panel set, and
// come after those.
package odb
