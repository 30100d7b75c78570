package partcheck

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract/partchecks"
	"boardorder/services/edge/internal/jsonbody"
)

// Bounds and defaults of a request's fields.
const (
	maxBoards   = 100_000
	maxLines    = 300
	maxText     = 300 << 10 // bytes of bom_csv
	maxPerBoard = 100_000
	maxRefs     = 2000 // characters
	maxField    = 200  // characters
	maxWait     = 50
	usualWait   = 20 * time.Second
)

// A request is fit to be passed on.
type request struct {
	data    partchecks.CheckData
	notes   []string // what of the request was left aside
	timeout time.Duration
}

// validate reads a request. What is wrong with it is noted in f.
func validate(f *jsonbody.Fields, distributors []string) request {
	r := request{timeout: usualWait}
	switch n := f.Int("boards", 1, maxBoards); {
	case n != nil:
		r.data.Boards = *n
	case f.Raw("boards") == nil:
		f.Refuse("boards", jsonbody.Missing, map[string]int{"min": 1, "max": maxBoards}, "boards is required: how many boards will be built.")
	}
	unknown := r.list(f, distributors)
	if n := f.Int("wait_s", 0, maxWait); n != nil {
		r.timeout = time.Duration(*n) * time.Second
	}
	_ = f.Bool("itar")
	r.notes = jsonbody.UnknownNotes(append(f.Unknown(), unknown...))
	return r
}

// list reads the parts, or the text of a file.
func (r *request) list(f *jsonbody.Fields, distributors []string) (unknown []string) {
	problems := len(f.Problems())
	for i, part := range f.Objects("parts", maxLines) {
		r.data.Parts = append(r.data.Parts, line(part, distributors))
		unknown = append(unknown, part.Unknown()...)
		if empty(r.data.Parts[i]) {
			part.Refuse("mpn", jsonbody.Missing, nil,
				"Name the part: %s.", nameWays(distributors))
		}
	}
	r.text(f)
	if len(f.Problems()) > problems {
		return unknown
	}
	switch parts, text := len(r.data.Parts) > 0, r.data.BOM != ""; {
	case parts && text:
		f.Refuse("bom_csv", jsonbody.Conflict, nil, "Send parts or bom_csv, not both.")
	case !parts && !text:
		f.Refuse("parts", jsonbody.Missing, map[string]int{"max_items": maxLines}, "parts or bom_csv is required: one line for each part.")
	}
	return unknown
}

func (r *request) text(f *jsonbody.Fields) {
	switch v := f.Raw("bom_csv").(type) {
	case nil:
	case string:
		if len(v) > maxText {
			f.Refuse("bom_csv", jsonbody.TooLong, map[string]int{"max_bytes": maxText}, "bom_csv has at most %d bytes; this has %d.", maxText, len(v))
			return
		}
		r.data.BOM = v
	default:
		f.Refuse("bom_csv", jsonbody.WrongType, nil, "bom_csv is a string.")
	}
}

// nameWays are the ways to name a part, in words.
func nameWays(distributors []string) string {
	ways := append([]string{"mpn with manufacturer", "fab_part_code", "value with footprint"}, distributors...)
	last := len(ways) - 1
	return strings.Join(ways[:last], ", ") + " or " + ways[last]
}

func line(f *jsonbody.Fields, distributors []string) partchecks.Line {
	text := func(name string, most int) string {
		if s := f.Text(name, most, false); s != nil {
			return *s
		}
		return ""
	}
	p := partchecks.Line{
		Reference: text("reference", maxRefs), MPN: text("mpn", maxField), Manufacturer: text("manufacturer", maxField),
		FabPartCode: text("fab_part_code", maxField), Value: text("value", maxField), Footprint: text("footprint", maxField),
		Description: text("description", maxRefs),
	}
	for _, name := range distributors {
		if number := text(name, maxField); number != "" {
			if p.Codes == nil {
				p.Codes = map[string]string{}
			}
			p.Codes[name] = number
		}
	}
	if n := f.Int("quantity", 1, maxPerBoard); n != nil {
		p.Quantity = *n
	}
	return p
}

// empty tells whether nothing on a line says which part it is.
func empty(p partchecks.Line) bool {
	return p.MPN == "" && p.FabPartCode == "" && p.Value == "" && len(p.Codes) == 0 && p.Description == ""
}

// linesToCheck are the lines of a request that nothing is known of yet.
func (r request) linesToCheck() []partchecks.Found {
	out := make([]partchecks.Found, len(r.data.Parts))
	for i, p := range r.data.Parts {
		code := ""
		for _, name := range slices.Sorted(maps.Keys(p.Codes)) {
			code = cmp.Or(code, p.Codes[name])
		}
		out[i] = partchecks.Found{Reference: p.Reference, Part: cmp.Or(p.MPN, p.FabPartCode, code, p.Value, p.Description),
			QuantityPerBoard: int64(max(p.Quantity, 1)), Verdict: "checking", Line: i + 1}
	}
	return out
}
