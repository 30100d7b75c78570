package kit

import (
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

// FuzzOf: whatever files come with a board, it has at most one place for a part
// on the board, and what it says was read from one of them.
func FuzzOf(f *testing.F) {
	f.Add("bom.csv", []byte("Ref,Value,MPN\nR1,1k,\nU1,,LM358\n"), "pos.csv", []byte("Ref,X,Y,Side,Rot\nR1,1mm,1mm,top,0\nU1,90,90,bottom,45\n"))
	f.Add("a.txt", []byte("R1 10.5 20.5 90 1k 0402\nC1 11 21 0 1u 0402\n"), "b.pos", []byte("# Ref Val Package PosX PosY Rot Side\nR1 1k 0402 500 600 0 top\n"))
	f.Add("a.mnt", []byte("R1 10.5 20.5 90 1k 0402\n"), "a.mnt", []byte("R1 10.5 20.5 90 1k 0402\n"))
	f.Fuzz(func(t *testing.T, nameA string, a []byte, nameB string, b []byte) {
		at := geom.Pt(5*geom.Millimetre, 5*geom.Millimetre)
		one := &pcb.Board{Name: "b", Components: []pcb.Component{{Ref: "R1", At: at}, {Ref: "U1", At: at}}}
		files := []upload.File{{Name: nameA, Data: a}, {Name: nameB, Data: b}}
		k, ok := ReadBoard(&pcb.Project{Boards: []*pcb.Board{one}}, files, nil, "b")
		if !ok {
			t.Fatal("the board is not found")
		}
		for _, name := range k.Files {
			if name != nameA && name != nameB {
				t.Errorf("read from %q, want %q or %q", name, nameA, nameB)
			}
		}
	})
}
