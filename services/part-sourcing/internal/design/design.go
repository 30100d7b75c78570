// Package design makes the bill of materials and the placements of a board that
// a design tool's project describes, so that nobody has to export them.
package design

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/fitting"
	"boardorder/services/part-sourcing/internal/land"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// Has reports whether a board says enough about its parts to build from.
func Has(b *pcb.Board) bool {
	return slices.ContainsFunc(b.Components, func(c pcb.Component) bool { return c.HasAt && (c.Value != "" || c.MPN != "" || c.Footprint != "") })
}

// BOM is the board's bill of materials, equal parts grouped. variant names the
// assembly variant that the parts' Config fields mean; "" is the plain one.
// Parts that are left out of bills of materials are left out; those that are not
// to be fitted are listed and marked.
func BOM(b *pcb.Board, variant string) bom.List {
	l := bom.List{File: b.Name}
	index := map[string]int{}
	for i := range b.Components {
		c := &b.Components[i]
		if c.NoBOM || isExcluded(c.Fields) || c.Ref == "" || strings.HasPrefix(c.Ref, "#") || c.Mount == pcb.MountOther && c.MPN == "" && !c.HasAt {
			continue
		}
		line := lineOf(c, variant)
		k := line.key()
		at, ok := index[k]
		if !ok {
			at = len(l.Lines)
			index[k] = at
			l.Lines = append(l.Lines, line.Line)
		} else if !slices.Contains(l.Lines[at].Refs, c.Ref) {
			l.Lines[at].Refs = append(l.Lines[at].Refs, c.Ref)
		}
	}
	for i := range l.Lines {
		slices.SortFunc(l.Lines[i].Refs, refdes.Compare)
		l.Lines[i].Quantity = len(l.Lines[i].Refs)
	}
	slices.SortStableFunc(l.Lines, func(a, b bom.Line) int { return refdes.Compare(a.Refs[0], b.Refs[0]) })
	return l
}

type line struct{ bom.Line }

// key is equal for parts that one line stands for.
func (l line) key() string {
	dnp := ""
	if l.DNP {
		dnp = "dnp"
	}
	return strings.Join([]string{refdes.Letters(l.Refs[0]), l.Value, l.Footprint, l.MPN, l.Manufacturer, l.FabCode, fmt.Sprint(l.Codes), dnp}, "\x00")
}

// ofLands are descriptions that KiCad's libraries have of land patterns: they say nothing
// of the part.
var ofLands = regexp.MustCompile(`(?i)\bIPC[_ -]?7351\b|body size source|kicad-footprint-generator|end terminal`)

func lineOf(c *pcb.Component, variant string) line {
	l := bom.Line{
		Refs: []string{c.Ref}, Value: c.Value, Footprint: c.Footprint, MPN: c.MPN, Manufacturer: c.Manufacturer, Description: c.Description,
		DNP: c.DNP || isLeftOut(c.Fields, variant),
	}
	if ofLands.MatchString(l.Description) {
		l.Description = ""
	}
	bom.Fields(&l, c.Fields)
	if l.Value == "" && !l.Exact() {
		l.Value = c.Fields["part"] // the library's entry, which often is the part number
	}
	return line{l}
}

// isExcluded reads a field named BOM that says so, a custom of EAGLE's users.
func isExcluded(fields map[string]string) bool {
	return strings.EqualFold(fields["BOM"], "exclude")
}

// isLeftOut reads a field named Config or Variant, a list of words: DNF leaves the
// part out, "-name" leaves it out of that variant, "+name" fits it in that
// variant only.
func isLeftOut(fields map[string]string, variant string) bool {
	only, named := false, false
	for name, value := range fields {
		if n := strings.ToLower(name); n != "config" && n != "variant" && n != "variants" {
			continue
		}
		for _, w := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == ';' }) {
			rest, plus := strings.CutPrefix(w, "+")
			out, minus := strings.CutPrefix(w, "-")
			switch {
			case fitting.ContainsDenial(w), minus && variant != "" && strings.EqualFold(out, variant):
				return true
			case plus:
				only, named = true, named || strings.EqualFold(rest, variant)
			}
		}
	}
	return only && !named
}

// Placements is where the board's parts sit. What is left out of placement files
// is left out, and so is what has no position or is no part: fiducials, logos.
func Placements(b *pcb.Board) placement.List {
	l := placement.List{File: b.Name, Unit: placement.Millimetre, Stated: true}
	for i := range b.Components {
		c := &b.Components[i]
		if c.NoPlace || !c.HasAt || c.NoBOM && c.Mount == pcb.MountOther || isExcluded(c.Fields) || c.Ref == "" || strings.HasPrefix(c.Ref, "#") {
			continue
		}
		side := placement.Top
		if c.Side == pcb.Bottom {
			side = placement.Bottom
		}
		l.Parts = append(l.Parts, placement.Part{Ref: c.Ref, Value: c.Value, Footprint: c.Footprint, At: c.At, Rotation: c.Rotation, Side: side})
	}
	slices.SortStableFunc(l.Parts, func(a, b placement.Part) int { return refdes.Compare(a.Ref, b.Ref) })
	return l
}

// A Fit is what the board says about fitting a part.
type Fit struct {
	Mount  pcb.Mount
	Joints int      // pads that are soldered; 0 unknown
	Pins   int      // pads of different numbers; 0 unknown
	Pitch  int64    // least distance of two pads' centres, nanometres; 0 unknown
	Box    geom.Box // of the pads' centres; empty where they are not known
	Rail   Rail     // of a part with two pads: the supply that it lies at

	Land *land.Land // what the layers show of pads round the part's place, where nothing says which are its own
}

// Fits tells for each designator how its part is fitted.
func Fits(b *pcb.Board) map[string]Fit {
	out := map[string]Fit{}
	at := make([][]geom.Point, len(b.Components))
	type pin struct {
		component int32
		number    string
	}
	numbered, pins := map[pin]bool{}, make([]int, len(b.Components))
	for i := 1; i < len(b.Pins); i++ {
		p := &b.Pins[i]
		if p.Component >= 0 && int(p.Component) < len(at) && p.HasAt {
			at[p.Component] = append(at[p.Component], p.At)
			if k := (pin{p.Component, p.Number}); p.Number != "" && !numbered[k] {
				numbered[k] = true
				pins[p.Component]++
			}
		}
	}
	for i := range b.Components {
		c := &b.Components[i]
		if _, ok := out[c.Ref]; !ok {
			out[c.Ref] = Fit{Mount: c.Mount, Joints: len(at[i]), Pins: pins[i], Pitch: pitch(at[i]), Box: box(at[i])}
		}
	}
	for ref, r := range rails(b) {
		f := out[ref]
		f.Rail = r
		out[ref] = f
	}
	return out
}

func box(at []geom.Point) geom.Box {
	b := geom.EmptyBox()
	for _, p := range at {
		b = b.Union(geom.Box{Min: p, Max: p})
	}
	return b
}

// maxPitchPads bounds the pads that are compared with each other.
const maxPitchPads = 3000

// pitch is the least distance of two of the points along x or y, whichever is
// larger, looked for among neighbours in order of x.
func pitch(at []geom.Point) int64 {
	if len(at) < 2 || len(at) > maxPitchPads {
		return 0
	}
	sorted := slices.Clone(at)
	slices.SortFunc(sorted, func(a, b geom.Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	best := int64(1 << 62)
	for i, p := range sorted {
		for _, q := range sorted[i+1:] {
			if q.X-p.X >= best {
				break
			}
			if d := max(q.X-p.X, q.Y-p.Y, p.Y-q.Y); d > 0 {
				best = min(best, d)
			}
		}
	}
	if best == 1<<62 {
		return 0
	}
	return best
}
