package check

import (
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/jsonbody"
)

// Bounds and defaults of a request's fields.
const (
	maxBoards   = 100_000
	maxBoard    = 255
	maxWait     = 50
	usualCopper = 1   // oz
	usualBoard  = 1.6 // mm
	// usualWait is for a client that does not say how long it waits: as long as
	// any board is waited for.
	usualWait = 150 * time.Second
)

// An input is a request that is fit to be passed on.
type input struct {
	data    contract.CheckDesignData
	boards  int      // asked for the parts of so many to be checked too; 0: not
	notes   []string // what of the request was left aside
	timeout time.Duration
}

// validate reads a request. What is wrong with it is noted in f.
func validate(f *jsonbody.Fields) input {
	in := input{timeout: usualWait}
	if id := f.Text("upload_id", design.MaxUploadID, false); id != nil {
		in.data.Upload = contract.SecretRef(*id)
	} else if s, isText := f.Raw("upload_id").(string); f.Raw("upload_id") == nil || isText && untrusted.CleanLine(s) == "" {
		f.Refuse("upload_id", jsonbody.Missing, nil, "upload_id is required; POST /v1/uploads gives one.")
	}
	if n := f.Int("boards", 1, maxBoards); n != nil {
		in.boards = *n
	}
	in.data.CopperOz = valueOr(f.Number("copper_oz", 0.5, 6), usualCopper)
	in.data.ThicknessMM = valueOr(f.Number("thickness_mm", 0.2, 6), usualBoard)
	if name := f.Text("board", maxBoard, false); name != nil {
		in.data.Board = *name
	}
	if n := f.Int("wait_s", 0, maxWait); n != nil {
		in.timeout = time.Duration(*n) * time.Second
	}
	in.data.Answers = design.Answers(f)
	_ = f.Bool("itar")
	in.notes = jsonbody.UnknownNotes(f.Unknown())
	return in
}

func valueOr(v *float64, usual float64) float64 {
	if v == nil {
		return usual
	}
	return *v
}
