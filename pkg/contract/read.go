package contract

import (
	"maps"
	"time"
)

// A BoardSize is one board of an upload, with its layers and size as far as they were read.
type BoardSize struct {
	Board    string `json:"board"`
	Layers   any    `json:"layers,omitempty"`
	WidthMM  any    `json:"width_mm,omitempty"`
	HeightMM any    `json:"height_mm,omitempty"`
}

// ReportSubject is the design check whose page tells more about a refusal. The check is
// made once somebody opens the page.
type ReportSubject struct {
	ID    string          `json:"id"` // of the check
	Check CheckDesignData `json:"check"`
	Until time.Time       `json:"until"` // the upload ends
}

// ReportOf is a check of an upload's files as they are now; digest is an [DigestWithAnswers].
func ReportOf(upload, digest string, until time.Time, check CheckDesignData) *ReportSubject {
	check.Upload = upload
	return &ReportSubject{ID: CheckID(digest, check.Board, check.CopperOz, check.ThicknessMM), Check: check, Until: until}
}

// sizeFacts are what replies say of a board that was read, whatever became of it.
var sizeFacts = []string{"layers", "width_mm", "height_mm"}

// LayersAndSize is the layers and the size of a board, as far as they were read.
func LayersAndSize(b BoardFile) map[string]any {
	out := map[string]any{}
	for _, name := range sizeFacts {
		if v := b.Facts[name].Value; v != nil {
			out[name] = v
		}
	}
	return out
}

// AddSizes is the refusal with the layers and the size of the board that was meant, or of
// each of an upload's boards where it is open which one that is.
func (r *Refusal) AddSizes(meant BoardFile, all []BoardFile) *Refusal {
	out := *r
	switch {
	case meant.Facts != nil:
	case len(all) == 1:
		meant = all[0]
	case len(all) > 1:
		out.Boards = make([]BoardSize, len(all))
		for i, b := range all {
			size := LayersAndSize(b)
			out.Boards[i] = BoardSize{b.Name, size["layers"], size["width_mm"], size["height_mm"]}
		}
		return &out
	}
	if size := LayersAndSize(meant); len(size) > 0 {
		maps.Copy(size, r.Known) // what was decided goes before what was read
		out.Known = size
	}
	return &out
}
