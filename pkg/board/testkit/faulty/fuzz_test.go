package faulty_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
)

// FuzzRun checks boards of files with bytes changed: one file of an upload is
// replaced by whatever comes. Nothing breaks down, and a check that is told to end
// does so.
func FuzzRun(f *testing.F) {
	forms := []faulty.Form{faulty.Gerber, faulty.KiCad}
	sets := map[faulty.Form][]upload.File{}
	for k, form := range forms {
		sets[form] = form.Files(faulty.Base())
		for i, file := range sets[form] {
			f.Add(k == 1, uint8(i), file.Data)
		}
	}
	faults := faulty.Faults()
	for i := range faults {
		s, _ := faults[i].Board(true)
		files := s.KiCad()
		f.Add(true, uint8(0), files[0].Data)
		if small := s.Gerber(); i%4 == 0 {
			f.Add(false, uint8(i%len(small)), small[i%len(small)].Data)
		}
	}
	limits := faults[0].Limits()
	f.Fuzz(func(t *testing.T, kicad bool, which uint8, data []byte) {
		if len(data) > 100_000 {
			return
		}
		form := faulty.Gerber
		if kicad {
			form = faulty.KiCad
		}
		files := append([]upload.File(nil), sets[form]...)
		files[int(which)%len(files)].Data = data
		p := upload.Read(context.Background(), files, upload.Options{Limits: pcb.Limits{Objects: 40_000}})
		for _, b := range p.Boards {
			const timeout = 20 * time.Second
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			r, err := check.Run(ctx, b, dfm.Options{Limits: limits})
			cancel()
			if err != nil && !errors.Is(err, context.DeadlineExceeded) {
				t.Fatal(err)
			}
			if err != nil {
				t.Fatalf("the check of %d bytes took longer than %v", len(data), timeout)
			}
			for _, fault := range r.Faults {
				t.Errorf("a rule broke down: %v", fault)
			}
			for _, g := range r.Findings {
				if g.What == "" || g.Count < 1 || len(g.Places) > dfm.MaxPlaces {
					t.Errorf("odd finding: %s, want words, a count, and %d places at most; they are %d", say(&g), dfm.MaxPlaces, len(g.Places))
				}
			}
		}
	})
}
