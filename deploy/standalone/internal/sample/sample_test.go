package sample_test

import (
	"archive/zip"
	"bytes"
	"io"
	"testing"

	"boardorder/deploy/standalone/internal/sample"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
)

func TestSampleIsAWholeBoard(t *testing.T) {
	t.Parallel()
	data, err := sample.Zip()
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var files []upload.File
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, upload.File{Name: f.Name, Data: text})
	}
	p := upload.Read(t.Context(), files, upload.Options{})
	if len(p.Boards) != 1 {
		t.Fatalf("%d boards, want 1; findings %+v", len(p.Boards), p.Findings)
	}
	b := p.Boards[0]
	f := b.Facts
	if f.CopperLayers.Value != 2 || f.Width.Value != 50e6 || f.Height.Value != 30e6 || f.PlatedHoles.Value != 7 || f.NonPlatedHoles.Value != 4 {
		t.Errorf("layers %d, %d x %d nm, %d plated and %d other holes; want 2, 50 x 30 mm, 7 and 4", f.CopperLayers.Value, f.Width.Value, f.Height.Value, f.PlatedHoles.Value, f.NonPlatedHoles.Value)
	}
	for _, finding := range append(p.Findings, b.Findings...) {
		if finding.Level != pcb.Note {
			t.Errorf("finding %s: %s, want notes alone", finding.Code, finding.Message)
		}
	}
	report, err := check.Run(t.Context(), b, dfm.Options{Limits: limits.Standard(2, 1)})
	if err != nil {
		t.Fatal(err)
	}
	for _, finding := range report.Findings {
		t.Errorf("finding %s %s: %s, want none", finding.Level, finding.Check, finding.What)
	}
}
