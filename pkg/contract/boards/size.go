package boards

import (
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/contract"
)

// sizeFacts are what replies say of a board that was read, whatever became of it.
var sizeFacts = []string{"layers", "width_mm", "height_mm"}

// LayersAndSize is the layers and the size of a board, as far as they were read.
func LayersAndSize(b Board) map[string]any {
	out := map[string]any{}
	for _, name := range sizeFacts {
		if v := b.Facts[name].Value; v != nil {
			out[name] = v
		}
	}
	return out
}

// ReadSize reads what LayersAndSize, or a refusal, says of a board: lengths in mm, zero where nothing
// is said.
func ReadSize(known map[string]any) (layers int, width, height float64) {
	number := func(name string) float64 {
		switch n := known[name].(type) {
		case float64:
			return n
		case int:
			return float64(n)
		}
		return 0
	}
	return int(number("layers")), number("width_mm"), number("height_mm")
}

// AddSizes gives a refusal with the layers and the size of the board that was meant, or of
// each of an upload's boards where it is open which one that is.
func AddSizes(r *contract.Refusal, meant Board, all []Board) *contract.Refusal {
	out := *r
	switch {
	case meant.Facts != nil:
	case len(all) == 1:
		meant = all[0]
	case len(all) > 1:
		out.Boards = make([]contract.BoardSize, len(all))
		for i, b := range all {
			size := LayersAndSize(b)
			out.Boards[i] = contract.BoardSize{Board: b.Name, Layers: size["layers"], WidthMM: size["width_mm"], HeightMM: size["height_mm"]}
		}
		return &out
	}
	if size := LayersAndSize(meant); len(size) > 0 {
		maps.Copy(size, r.Known) // what was decided goes before what was read
		out.Known = size
	}
	return &out
}

// RefuseBoardless refuses files in which no board was found, for the reason that
// reading them came to an end, where it did.
func RefuseBoardless(findings []contract.Finding) *contract.Refusal {
	r := contract.Refuse(contract.DesignFiles, "No board was found in the files. Upload a Gerber zip or a design-tool project.")
	r.Findings = findings
	if i := slices.IndexFunc(findings, func(f contract.Finding) bool { return f.Check == "too_complex" && f.Level == "must_fix" }); i >= 0 {
		r.Message = findings[i].What
		if name := findings[i].File; name != "" {
			r.Message = fmt.Sprintf("%q: %s", name, findings[i].What)
		}
	}
	return r
}
