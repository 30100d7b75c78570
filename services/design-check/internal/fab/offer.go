package fab

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// offer judges what the board is to be built as: layers, copper, thickness, size.
func (j *judging) offer() {
	if len(j.fab.Offers) == 0 {
		j.unsure(dfm.LayerCount.Words() + ": not published")
		return
	}
	o, ok := j.fab.Offer(j.build.Layers)
	if !ok {
		most := slices.MaxFunc(j.fab.Offers, func(a, b dfm.Offer) int { return a.Layers[1] - b.Layers[1] }).Layers[1]
		j.breaks(dfm.LayerCount, int64(j.build.Layers), int64(most), "%d copper layers; up to %d are offered", j.build.Layers, most)
		return
	}
	j.copper(o)
	j.thickness(o)
	j.size(o)
}

func (j *judging) copper(o dfm.Offer) {
	weigh := func(side string, oz float64, list []float64) {
		if len(list) > 0 && !slices.Contains(list, dfm.Nominal(oz, list)) {
			j.breaks(dfm.CopperWeight, 0, 0, "%s oz of %s copper; offered are %s oz", ounces(oz), side, join(formatOunces(list)))
		}
	}
	weigh("outer", j.build.CopperOz, o.CopperOz)
	if j.build.Layers > 2 && j.facts.InnerCopper.IsStated() {
		weigh("inner", j.build.InnerOz, o.InnerOz)
	}
}

func (j *judging) thickness(o dfm.Offer) {
	low, high := millimetres(o.ThicknessMM[0]), millimetres(o.ThicknessMM[1])
	t := j.build.Thickness
	nominal := millimetres(dfm.Nominal(float64(t)/float64(geom.Millimetre), o.ThicknessMM[:]))
	if high > 0 && (nominal < low || nominal > high) {
		limit := high
		if t < low {
			limit = low
		}
		j.breaks(dfm.BoardThickness, t, limit, "%s thick; %s to %s is offered", length(t), length(low), length(high))
	}
}

// size judges the board's sides, whichever way it lies.
func (j *judging) size(o dfm.Offer) {
	if !j.facts.Width.Known || !j.facts.Height.Known {
		j.unsure("size of the board: not known")
		return
	}
	short, long := min(j.facts.Width.Value, j.facts.Height.Value), max(j.facts.Width.Value, j.facts.Height.Value)
	sides := length(short) + " by " + length(long)
	if high := o.LargestMM; high[1] > 0 && (short > millimetres(high[0]) || long > millimetres(high[1])) {
		j.breaks(dfm.BoardLength, long, millimetres(high[1]), "%s; up to %g by %g mm is offered", sides, high[0], high[1])
	}
	if low := o.SmallestMM; short < millimetres(low[0]) || long < millimetres(low[1]) {
		j.breaks(dfm.BoardWidth, short, millimetres(low[0]), "%s; boards from %g by %g mm are offered", sides, low[0], low[1])
	}
	area := float64(short) * float64(long) / 1e12
	if o.AreaMM2 > 0 && area > o.AreaMM2 {
		j.breaks(dfm.BoardLength, long, 0, "%s is %.0f cm²; up to %.0f cm² is offered", sides, area/100, o.AreaMM2/100)
	}
}

// options judges special processes that the files call for.
func (j *judging) options() {
	for _, need := range []struct {
		name, words string
		fact        pcb.Fact[bool]
		check       dfm.Name
	}{
		{"blind_vias", "blind or buried vias", j.facts.BlindVias, dfm.LayerCount},
		{"castellations", "castellated holes", j.facts.Castellations, dfm.Castellation},
		{"edge_plating", "plated edges", j.facts.EdgePlating, dfm.CopperToEdge},
		{"flex", "flexible boards", j.facts.Flex, dfm.BoardThickness},
	} {
		if !need.fact.Known || !need.fact.Value {
			continue
		}
		i := slices.IndexFunc(j.fab.Options, func(o dfm.Option) bool { return o.Name == need.name })
		switch {
		case i < 0:
			j.unsure(need.words + ": not known whether offered")
		case !j.fab.Options[i].Offered:
			j.breaks(need.check, 0, 0, "%s are not offered", need.words)
		}
	}
}

func millimetres(v float64) int64 { return int64(math.Round(v * float64(geom.Millimetre))) }

// length writes nanometres as millimetres: "0.127 mm".
func length(nm int64) string {
	return strconv.FormatFloat(math.Round(float64(nm)/1000)/1000, 'f', -1, 64) + " mm"
}

// amount writes what a check measures.
func amount(n dfm.Name, v int64) string {
	if n == dfm.AspectRatio {
		return fmt.Sprintf("%.1f : 1", float64(v)/1000)
	}
	return length(v)
}

func ounces(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func formatOunces(list []float64) []string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = ounces(v)
	}
	return out
}
