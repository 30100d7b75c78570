package kit_test

import (
	"testing"

	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
	"boardorder/services/part-sourcing/internal/kit"
)

// TestCorpusPlaces: the placement files of real boards lie on their pads, whatever their
// origin and unit and however their bottom is written; what is asked about single parts of
// them is so.
func TestCorpusPlaces(t *testing.T) {
	t.Parallel()
	held := 0
	for _, d := range corpus.Designs(t) {
		loose, _ := corpus.Upload(t, d["name"])
		var files []upload.File
		for _, f := range loose {
			files = append(files, upload.File(f))
		}
		project := upload.Read(t.Context(), files, upload.Options{})
		for _, b := range project.Boards {
			k, ok := kit.ReadBoard(project, files, nil, b.Name)
			if !ok || len(k.Places) == 0 || k.Places[0].File == b.Name {
				continue
			}
			held++
			if k.NoUnit || len(k.Doubts) > 0 || len(k.Misplaced) > 0 || k.Moved && k.Offset == nil {
				t.Errorf("%s: no unit %v, doubts %+v, misplaced %+v, moved %v by %v; want a unit, nothing else", d["name"], k.NoUnit, k.Doubts, k.Misplaced, k.Moved, k.Offset)
			}
		}
	}
	if held < 25 {
		t.Errorf("%d boards with placement files, want 25 at least", held)
	}
}
