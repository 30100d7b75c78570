// Package sources has the formats that hold whole boards: one row each, and nothing else
// of the house has to know of one.
package sources

import (
	"context"
	"strings"

	"boardorder/pkg/board/format/altium"
	"boardorder/pkg/board/format/eagle"
	"boardorder/pkg/board/format/easyeda"
	"boardorder/pkg/board/format/ipc2581"
	"boardorder/pkg/board/format/kicad"
	"boardorder/pkg/board/format/odb"
	"boardorder/pkg/board/pcb"
)

// A File is one file of an upload, archives unpacked; members of an archive
// are named archive!/member.
type File struct {
	Name string
	Data []byte
}

// A Source is a format that holds whole boards.
type Source struct {
	Name    string   // as findings call it
	Formats []string // as reports of files call it: of boards, then of what lies beside them
	// Is tells a file that holds a board by its name and content; nil where the folders
	// around it tell.
	Is func(name string, data []byte) bool
	// Unread is the sentence, without its stop, about a file that gave no board; "" where
	// the reader's findings say enough.
	Unread string

	read func(context.Context, []File) ([]*pcb.Board, []pcb.Finding)
	owns func(b *pcb.Board, name, format string) bool // nil: what its layers or its outline were read from
}

// Formats that others than their rows speak of.
const (
	ODB      = "odb++"
	KiCadPCB = "kicad_pcb"
	KiCad    = "kicad project" // what lies beside its board

	EasyEDAPro     = "easyeda pro board"
	EasyEDAProPart = "easyeda pro project" // what lies beside its board, where it was unpacked
)

// sources are all that there are, those meant for building first: a board that an
// earlier one gave is not given again by a later.
var sources = []Source{
	{
		Name: "ODB++ job", Formats: []string{ODB}, read: reader(odb.Read), owns: ownsODB,
		Unread: "no board was read from this ODB++ job: send Gerbers and drill files, or export the job again",
	},
	{
		Name: "IPC-2581 file", Formats: []string{"ipc-2581"}, Is: ipc2581.Is, read: reader(ipc2581.Read),
		Unread: "no board was read from this IPC-2581 file: send Gerbers and drill files, or export it again",
	},
	{Name: "KiCad project", Formats: []string{KiCadPCB, KiCad}, Is: kicad.Is, read: reader(kicad.Read), owns: ownsKiCad},
	{
		Name: "EAGLE board", Formats: []string{"eagle board"}, Is: eagle.Is, read: reader(eagle.Read),
		Unread: "this EAGLE board could not be read: send Gerbers and drill files, which EAGLE makes in File > CAM Processor",
	},
	{Name: "Altium board", Formats: []string{"altium board"}, Is: altium.Is, read: reader(altium.Read)},
	{Name: "EasyEDA board", Formats: []string{"easyeda board"}, Is: easyeda.Is, read: reader(easyeda.Read)},
	{Name: "EasyEDA Pro project", Formats: []string{EasyEDAPro, EasyEDAProPart}, Is: easyeda.IsPro, read: reader(easyeda.ReadPro), owns: ownsEasyEDAPro},
}

// Find gives the source of files that hold a board in a format; false for any other format.
func Find(format string) (Source, bool) {
	for _, s := range sources {
		if s.Formats[0] == format {
			return s, true
		}
	}
	return Source{}, false
}

// Format tells the format of a file that holds a board, "" for none.
func Format(name string, data []byte) string {
	for _, s := range sources {
		if s.Is != nil && s.Is(name, data) {
			return s.Formats[0]
		}
	}
	return ""
}

// Owns tells whether a board was read from a file, or the file belongs to its design.
func (s Source) Owns(b *pcb.Board, name, format string) bool {
	if s.owns != nil {
		return s.owns(b, name, format)
	}
	return isDrawnFrom(b, name)
}

// reader gives the files of a format's reader the type that it wants.
func reader[F ~struct {
	Name string
	Data []byte
}](read func(context.Context, []F) ([]*pcb.Board, []pcb.Finding)) func(context.Context, []File) ([]*pcb.Board, []pcb.Finding) {
	return func(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
		own := make([]F, len(files))
		for i, f := range files {
			own[i] = F(f)
		}
		return read(ctx, own)
	}
}

// ownsODB tells whether a file lies in the tree that a board's layers came from.
func ownsODB(b *pcb.Board, name, _ string) bool {
	for _, l := range b.Layers {
		if i := strings.Index(strings.ToLower(l.File), "steps/"); i >= 0 && strings.HasPrefix(name, l.File[:i]) {
			return true
		}
	}
	return false
}

func ownsKiCad(b *pcb.Board, name, format string) bool {
	if !kicad.Reads(name) {
		return false
	}
	return format != KiCadPCB || isDrawnFrom(b, name)
}

// ownsEasyEDAPro tells whether a file is a board's, or lies in the folder of its project.
func ownsEasyEDAPro(b *pcb.Board, name, format string) bool {
	if format == EasyEDAPro || len(b.Layers) == 0 {
		return isDrawnFrom(b, name)
	}
	root := easyeda.ProRoot(b.Layers[0].File)
	return root == "." || strings.HasPrefix(name, root+"/")
}

func isDrawnFrom(b *pcb.Board, file string) bool {
	for _, l := range b.Layers {
		if l.File == file {
			return true
		}
	}
	return b.Outline.Source.File == file
}
