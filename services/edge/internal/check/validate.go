package check

import (
	"slices"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/orderfile"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
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
	boards  int                 // asked for the parts of so many to be checked too; 0: not
	notes   []string            // what of the request was left aside
	source  *quotes.OrderSource // the order file that stated what the request left out
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

// ofBoard are the properties of a request that an order file may state for it. How many
// boards are ordered it may not: parts are looked up for who asks for that.
var ofBoard = []string{"board", "copper_oz", "file_answers", "thickness_mm"}

// complete reads a request again with what the order file of its upload states of the board
// and the request does not, so that a check is of the board that will be ordered.
func (k *Checks) complete(c *web.Call, in input, body map[string]any, file *uploads.OrderFile) (input, error) {
	fields, source, err := k.designs().Fill(c, file, body, in.data.Upload, func(name string) bool { return !slices.Contains(ofBoard, name) })
	if err != nil || source == nil {
		return in, err
	}
	filled := validate(fields)
	if p := fields.Problems(); len(p) > 0 {
		return in, orderfile.Name(problem.Fields(p), source)
	}
	in.data, in.source = filled.data, source
	return in, nil
}

func valueOr(v *float64, usual float64) float64 {
	if v == nil {
		return usual
	}
	return *v
}
