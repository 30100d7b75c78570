package report

import (
	"context"
	"encoding/json"
	"fmt"
	"html/template"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/contract/designchecks"
	"boardorder/services/design-check/internal/crop"
)

// maxAllPlaces bounds how many places a report lists beside its page, over all findings.
const maxAllPlaces = 20_000

// Everything is what a report has beside its page: all places, and crops and layers that the
// page does not bring with it.
type Everything struct {
	designchecks.AllPlaces
	Crops  map[string]cropView `json:"crops"`
	Layers map[int]string      `json:"layers,omitempty"` // drawings of layers that the page does not bring, as SVG, by their numbers
}

// pageData is what the page's script works with.
type pageData struct {
	Origin []float64 `json:"origin"` // of the drawing: its left and upper edge, in millimetres
	About  []about   `json:"about"`  // by finding
	Everything
}

// about is what the script has to know of a finding.
type about struct {
	Limit string `json:"limit,omitempty"`
	Least int    `json:"usual"` // how long what has no length is taken to be, in micrometres
	Count int    `json:"count"`
	Ranks bool   `json:"ranks,omitempty"` // its places are measured, so that the first is the worst
}

// data gathers what the page's script works with, and what lies beside the page.
func (v *view) data(ctx context.Context, d designchecks.DesignCheck, cutter *crop.Cutter, found *dfm.Report) (page template.JS, beside []byte, err error) {
	located := locate(d, found)
	in := pageData{Origin: position(geom.Pt(v.frame.Min.X, v.frame.Max.Y)), About: make([]about, len(d.Findings))}
	in.Places = make([][]designchecks.Place, len(d.Findings))
	all := Everything{AllPlaces: designchecks.AllPlaces{Places: make([][]designchecks.Place, len(d.Findings))}}
	left := maxAllPlaces
	for i, f := range d.Findings {
		in.Places[i] = f.Places
		a := &in.About[i]
		a.Count, a.Least = max(f.Count, len(f.Places)), int(crop.Length(dfm.Place{})/1000)
		if f.LimitMM != nil {
			a.Limit = decimal(*f.LimitMM) + " mm"
		}
		a.Ranks = len(f.Places) > 1 && f.Places[0].ValueMM != nil
		for _, p := range located[i][:min(len(located[i]), left)] {
			all.Places[i] = append(all.Places[i], tidyPlace(place(dfm.Name(f.Check), p)))
		}
		left -= len(all.Places[i])
	}
	if cutter != nil {
		in.Crops, all.Crops = v.crops(ctx, cutter, located)
	}
	all.Layers = map[int]string{}
	for _, l := range v.Layers {
		if l.Late {
			all.Layers[l.N] = string(v.late[l.layer])
		}
	}
	if beside, err = json.Marshal(all); err != nil {
		return "", nil, fmt.Errorf("all places of a report: %w", err)
	}
	text, err := json.Marshal(in)
	if err != nil {
		return "", nil, fmt.Errorf("what a report's script works with: %w", err)
	}
	return template.JS(text), beside, nil //nolint:gosec // JSON, whose < and > are escaped
}
