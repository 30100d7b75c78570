package catalog

import (
	"slices"

	"boardorder/pkg/fabricator"
)

// A Rule is a combination that needs something else: whenever When holds and
// Need does not, Reason is why people must look.
type Rule struct {
	When   Condition `json:"when"`
	Need   Condition `json:"need"`
	Reason string    `json:"reason"`
}

// A Condition holds when each of its parts does; an empty part always does.
type Condition struct {
	Families      []string  `json:"families,omitempty"`
	MinLayers     int       `json:"min_layers,omitempty"`
	Thickness     []float64 `json:"thickness_mm,omitempty"`
	SurfaceFinish []string  `json:"surface_finish,omitempty"`
	ViaProcess    []string  `json:"via_process,omitempty"`
}

func (q Condition) holds(m Material, s fabricator.Spec) bool {
	return (len(q.Families) == 0 || slices.Contains(q.Families, m.Family)) &&
		s.Layers >= q.MinLayers &&
		(len(q.Thickness) == 0 || containsAbout(q.Thickness, mm(s.Thickness))) &&
		(len(q.SurfaceFinish) == 0 || slices.Contains(q.SurfaceFinish, s.Finish)) &&
		(len(q.ViaProcess) == 0 || slices.Contains(q.ViaProcess, s.ViaProcess))
}

// field names the part that a condition is about.
func (q Condition) field() string {
	switch {
	case len(q.SurfaceFinish) > 0:
		return "surface_finish"
	case len(q.ViaProcess) > 0:
		return "via_process"
	case len(q.Thickness) > 0:
		return "thickness_mm"
	}
	return "layers"
}

func (c *Catalog) rules(m Material, s fabricator.Spec) []Reason {
	var rs []Reason
	for _, r := range c.Rules {
		if r.When.holds(m, s) && !r.Need.holds(m, s) {
			rs = append(rs, Reason{r.Need.field(), r.Reason})
		}
	}
	return rs
}
