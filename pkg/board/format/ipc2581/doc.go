// Package ipc2581 reads IPC-2581 (DPMX) files, revisions A to C: one board for
// every step, with its layers, holes, profile, nets, components, the stackup and
// the parts list.
//
//	boards, findings := ipc2581.Read(ctx, []ipc2581.File{{Name: "board.xml", Data: data}})
//
// A reader of uploads calls it with the files for which [Sniff] holds. A board is
// named after its file, and after its step where the file has several. Steps that
// repeat others (panels) are boards of their own, the repeated ones drawn in
// them, with Facts.Panel set; they come after the boards that they hold.
//
// What is drawn is taken as it stands: pads, strokes and contours of every layer
// with their polarity. Lengths come in the units that the file states for its
// design and for each of its dictionaries.
package ipc2581
