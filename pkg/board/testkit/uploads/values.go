package uploads

import (
	"context"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/drills"
	"boardorder/pkg/board/upload/group"
)

// A Stage is what a stage of reading is given, built from values alone.
type Stage struct {
	group.Upload
	Art      []*artwork.File
	Programs []*drills.Program
	Board    *pcb.Board
}

// NewStage is a board without files.
func NewStage() *Stage {
	s := &Stage{Upload: group.Upload{Set: &classify.Set{}, Group: &classify.Group{Name: "x"}}, Board: pcb.NewBoard("x")}
	s.Set.Groups = []classify.Group{*s.Group}
	return s
}

func (s *Stage) addFile(name, format string, data string) *classify.Result {
	r := &classify.Result{}
	r.Name, r.Format, r.Confidence = name, format, 0.9
	s.Files = append(s.Files, classify.File{Name: name, Data: []byte(data)})
	s.Set.Results = append(s.Set.Results, r)
	return r
}

// AddBeside adds a file that is of no group.
func (s *Stage) AddBeside(name, format, data string) *classify.Result {
	r := s.addFile(name, format, data)
	r.Group = -1
	return r
}

// AddArtwork adds a layer to the group and the board: a Gerber file that is taken for a role.
// Copper is of the layer given, and the board has as many layers as the last one that is
// added says.
func (s *Stage) AddArtwork(name string, role pcb.Role, side pcb.Side, order int, data string) *artwork.File {
	r := s.addFile(name, classify.FormatGerber, data)
	r.Role, r.Side, r.Layer = role, side, order
	f := &artwork.File{File: gerber.Read(context.Background(), name, []byte(data), gerber.Options{}), Index: len(s.Files) - 1, Result: r, Data: []byte(data)}
	f.Layer.Name, f.Layer.File, f.Layer.Role, f.Layer.Side, f.Layer.Order = name, name, role, side, order
	s.Group.Members = append(s.Group.Members, f.Index)
	s.Group.Layers = max(s.Group.Layers, order)
	s.Art = append(s.Art, f)
	s.Board.Layers = append(s.Board.Layers, f.Layer)
	return f
}

// AddProgram adds a drill program to the group.
func (s *Stage) AddProgram(name string, plating pcb.Plating, data string) *drills.Program {
	r := s.addFile(name, classify.FormatExcellon, data)
	r.Role, r.Plating = pcb.RoleDrill, plating
	p := &drills.Program{File: excellon.Read(context.Background(), []byte(data), excellon.Options{Plating: plating}), Index: len(s.Files) - 1, Result: r, Data: []byte(data)}
	s.Group.Members = append(s.Group.Members, p.Index)
	s.Programs = append(s.Programs, p)
	return p
}
