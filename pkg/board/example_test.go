package board_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"

	"boardorder/pkg/board"
	"boardorder/pkg/board/pcb"
)

func ExampleRead() {
	project, err := board.Read(context.Background(), os.DirFS("testdata/blinker"))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range project.Boards {
		for name, fact := range b.Facts.List() {
			fmt.Printf("%s: %v (%s)\n", name, fact.Value, fact.How)
		}
	}
	// Output:
	// layers: 4 (counted copper files)
	// width_mm: 40 (centre line of the outline)
	// height_mm: 30 (centre line of the outline)
	// thickness_mm: 1.6 (job file, the design tool's preset)
	// smallest_drill_mm: 0.35 (smallest drill of the drill files)
	// smallest_track_mm: 0.08 (narrowest line drawn on copper)
	// plated_holes: 4 (counted in the drill files)
	// non_plated_holes: 1 (counted in the drill files)
	// holes: 5 (counted in the drill files)
	// slots: 0 (counted in the drill files)
	// tool: Sketch Sketch 1 (job file)
}

func ExampleCheck() {
	project, err := board.Read(context.Background(), os.DirFS("testdata/blinker"))
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := board.Check(context.Background(), project.Boards[0])
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("%s %s: %s\n", f.Level, f.Check, f.What)
	}
	// Output:
	// must_fix track_width: 5 tracks on outer layers are narrower than 0.09 mm: the narrowest is 0.08 mm. It may be etched through.
}

func ExampleRender() {
	project, err := board.Read(context.Background(), os.DirFS("testdata/blinker"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var picture bytes.Buffer
	if err := board.Render(context.Background(), &picture, project.Boards[0], pcb.Top, 600); err != nil {
		fmt.Println(err)
		return
	}
	size, err := png.DecodeConfig(&picture)
	fmt.Println(size.Width, size.Height, err)
	// Output:
	// 600 450 <nil>
}
