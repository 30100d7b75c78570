package report

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/contract/designchecks"
	"boardorder/services/design-check/internal/crop"
	"boardorder/services/design-check/internal/overlay"
)

// Bounds of crops: what the page brings with it is seen at once, the rest is fetched when
// somebody asks for it.
const (
	maxCrops     = 45 << 10        // of the page, packed
	maxMoreCrops = 2 << 20         // beside the page, unpacked
	maxCrop      = 24 << 10        // of one, unpacked: what is more than that would be seen as one grey
	croppingTime = 3 * time.Second // for all
)

// cropView is one crop as the page draws it: a square at X, Y of the drawing, and areas in
// it as paths of whole steps of 100 nm.
type cropView struct {
	X     float64     `json:"x"`
	Y     float64     `json:"y"`
	Side  float64     `json:"s"`
	Parts [][3]string `json:"p"` // kind, colour, path
}

// key is how the page finds the crop of a place.
func key(finding, place int) string { return strconv.Itoa(finding) + "." + strconv.Itoa(place) }

// crops cuts places out of the board, the first of every finding first: as many as the page
// may bring with it, and beside it as many as there is time and room for.
func (v *view) crops(ctx context.Context, cutter *crop.Cutter, located [][]dfm.Place) (page, more map[string]cropView) {
	page, more = map[string]cropView{}, map[string]cropView{}
	ctx, cancel := context.WithTimeout(ctx, croppingTime)
	defer cancel()
	most := 0
	for _, places := range located {
		most = max(most, len(places))
	}
	inPage, beside := maxCrops, maxMoreCrops
	for n := range most {
		for i, places := range located {
			if n >= len(places) || ctx.Err() != nil || beside <= 0 {
				continue
			}
			c, size, err := v.crop(ctx, cutter, places[n])
			switch {
			case err != nil || size > maxCrop:
				continue
			case n < maxPlaces && size/packs < inPage:
				inPage -= size / packs
				page[key(i, n)] = c
			default:
				beside -= size
				more[key(i, n)] = c
			}
		}
	}
	return page, more
}

// packs is to what part of itself a crop is packed as it is sent, about.
const packs = 3

// crop cuts out one place, and tells how many bytes its paths are.
func (v *view) crop(ctx context.Context, cutter *crop.Cutter, p dfm.Place) (cropView, int, error) {
	c, err := cutter.Cut(ctx, p)
	if err != nil {
		return cropView{}, 0, fmt.Errorf("crop of a place: %w", err)
	}
	out := cropView{X: um(c.Box.Min.X - v.frame.Min.X), Y: um(v.frame.Max.Y - c.Box.Max.Y), Side: um(c.Box.Width())}
	size := 0
	for _, part := range c.Parts {
		colour := overlay.BodyColour
		switch {
		case part.Layer != nil:
			colour = overlay.Colour(part.Layer)
		case part.Kind == crop.Hole:
			colour = overlay.HoleColour
		}
		path := pathOf(part.Areas, c.Box)
		size += len(path)
		out.Parts = append(out.Parts, [3]string{string(part.Kind), fmt.Sprintf("#%02x%02x%02x", colour.R, colour.G, colour.B), path})
	}
	return out, size, nil
}

func um(nm int64) float64 { return float64(nm) / float64(geom.Micrometre) }

// step is the unit of a crop's paths, in nanometres.
const step = 100

// pathOf writes areas as a path, from the box's upper left corner: every corner by its way
// from the one before.
func pathOf(areas []geom.Polygon, box geom.Box) string {
	var out []byte
	var at [2]int64
	write := func(p geom.Point, sep byte) {
		x, y := (p.X-box.Min.X+step/2)/step, (box.Max.Y-p.Y+step/2)/step
		if sep == 0 && x == at[0] && y == at[1] {
			return
		}
		if sep != 0 {
			out = append(out, sep)
		} else {
			out = append(out, ' ')
		}
		out = strconv.AppendInt(out, x-at[0], 10)
		if y >= at[1] {
			out = append(out, ' ')
		}
		out = strconv.AppendInt(out, y-at[1], 10)
		at = [2]int64{x, y}
	}
	for _, a := range areas {
		for _, ring := range append([]geom.Path{a.Outer}, a.Holes...) {
			if len(ring.Points) < 3 {
				continue
			}
			at = [2]int64{}
			if len(out) > 0 {
				out = append(out, ' ')
			}
			write(ring.Points[0], 'M')
			start := at
			out = append(out, 'l')
			n := len(out)
			for _, p := range ring.Points[1:] {
				write(p, 0)
			}
			if len(out) > n { // the first number needs no blank
				out = slices.Delete(out, n, n+1)
			}
			out = append(out, 'z')
			at = start
		}
	}
	return string(out)
}

// locate gives the places of each finding that is listed, worst first, as they were measured.
func locate(d designchecks.DesignCheck, found *dfm.Report) [][]dfm.Place {
	out := make([][]dfm.Place, len(d.Findings))
	if found == nil {
		return out
	}
	for i, f := range d.Findings {
		if j := IndexOf(found.Findings, f); j >= 0 {
			out[i] = KeepLocated(found.Findings[j].Places)
		}
	}
	return out
}

// IndexOf finds the measured finding that one of a report tells of; -1 where none does.
func IndexOf(measured []dfm.Finding, f designchecks.Finding) int {
	return slices.IndexFunc(measured, func(m dfm.Finding) bool { return string(m.Check) == f.Check && Words(m) == f.What })
}
