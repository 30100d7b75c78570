// Package fab holds what fabricators publish about what they build, and reports
// which of them could build a board that was measured.
//
// Every fabricator is one file of figures, each with its source and the day it
// was seen there. What a fabricator does not publish is absent from its file and
// leaves the verdict open: nothing is guessed.
package fab

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Fabs are the primary fabricator and its partners.
type Fabs struct {
	primary *dfm.Capability
	all     []*dfm.Capability // primary first
	version string
}

// Build is what a board is to be built as; zero fields take what the files
// state, else the usual.
type Build struct {
	Layers            int
	CopperOz, InnerOz float64
	Thickness         int64 // nanometres
}

// Load reads all figures; the error names the file that cannot be relied on.
func Load() (*Fabs, error) {
	primary, err := limits.Primary()
	if err != nil {
		return nil, err
	}
	partners, err := limits.Partners()
	if err != nil {
		return nil, err
	}
	f := &Fabs{primary: primary, all: append([]*dfm.Capability{primary}, partners...)}
	return f, f.digest()
}

// digest makes the version out of every figure.
func (f *Fabs) digest() error {
	data, err := json.Marshal(f.all)
	if err != nil {
		return fmt.Errorf("digest of fabricators' figures: %w", err)
	}
	sum := sha256.Sum256(data)
	f.version = hex.EncodeToString(sum[:8])
	return nil
}

// Version changes with any figure: part of the key of what is kept.
func (f *Fabs) Version() string { return f.version }

// Limits are those of the primary fabricator.
func (f *Fabs) Limits(facts pcb.Facts, b Build) dfm.Limits {
	return f.primary.Limits(b.complete(facts).process())
}

// Reach is how far a check must look so that every fabricator can be judged.
func (f *Fabs) Reach(facts pcb.Facts, b Build) map[dfm.Name]int64 {
	reach := map[dfm.Name]int64{}
	for _, c := range f.all {
		l := c.Limits(b.complete(facts).process())
		for _, side := range []map[dfm.Name]dfm.Limit{l.Outer, l.Inner} {
			for n, limit := range side {
				reach[n] = max(reach[n], limit.Min, limit.Recommended)
			}
		}
	}
	for n := range reach { // one step beyond, so that what just holds is measured too
		reach[n] += 50 * geom.Micrometre
	}
	return reach
}

// Note says what the verdicts are worth.
func (f *Fabs) Note() string {
	var days []string
	for _, c := range f.all {
		for _, s := range c.Sources {
			days = append(days, s.Checked)
		}
	}
	slices.Sort(days)
	return fmt.Sprintf("Verdicts are estimates from limits that the fabricators publish (looked up from %s to %s), not the "+
		"fabricators' own review. Lead times are no part of them, and at least one partner does not keep those that it states: ask before you plan, and plan with margin.", days[0], days[len(days)-1])
}

// complete completes a build with what the files state, then with the usual.
func (b Build) complete(facts pcb.Facts) Build {
	if b.Layers <= 0 && facts.CopperLayers.Known {
		b.Layers = facts.CopperLayers.Value
	}
	if b.CopperOz <= 0 && facts.OuterCopper.IsStated() {
		b.CopperOz = foil.WeightAsBuilt(facts.OuterCopper.Value)
	}
	if b.InnerOz <= 0 && facts.InnerCopper.IsStated() {
		b.InnerOz = facts.InnerCopper.Value
	}
	if b.Thickness <= 0 && facts.Thickness.IsStated() {
		b.Thickness = facts.Thickness.Value
	}
	usual := Build{Layers: 2, CopperOz: 1, InnerOz: 0.5, Thickness: 1600 * geom.Micrometre}
	if b.Layers <= 0 {
		b.Layers = usual.Layers
	}
	if b.CopperOz <= 0 {
		b.CopperOz = usual.CopperOz
	}
	if b.InnerOz <= 0 {
		b.InnerOz = usual.InnerOz
	}
	if b.Thickness <= 0 {
		b.Thickness = usual.Thickness
	}
	return b
}

func (b Build) process() dfm.Build {
	return dfm.Build{Layers: b.Layers, CopperOz: b.CopperOz, InnerOz: b.InnerOz}
}

// join makes one phrase of several.
func join(s []string) string { return strings.Join(s, ", ") }
