// Package board reads printed circuit boards from the files that people send to be
// made, checks them against what a fabricator can build, and draws them.
//
//	project, err := board.Read(ctx, os.DirFS("gerbers"))
//	…
//	for _, b := range project.Boards {
//		report, err := board.Check(ctx, b)
//		…
//		err = board.Render(ctx, w, b, pcb.Top, 1200)
//	}
//
// It reads Gerber, Excellon, Gerber job files, IPC-D-356, IPC-2581, ODB++, KiCad, EAGLE,
// Altium and EasyEDA, alone or in archives, together with the notes, stackups, lists of parts
// and reports that lie beside them, and says of each value where it comes from and how
// sure that is: see package [boardorder/pkg/board/pcb] for the model, and the packages
// below upload, dfm and render for more than these calls offer.
//
// Everything is pure: bytes in, values out. No network, clock or logging; what it may
// cost to read one design is bounded by a [pcb.Budget].
package board
