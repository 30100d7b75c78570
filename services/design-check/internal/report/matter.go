package report

import (
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract/designchecks"
)

// A matter is one line of what matters first: what findings come to, and which they are.
type matter struct {
	Kind     string // fails, costs, stays
	Title    string
	Words    string
	Findings []int // their numbers in the list
}

// maxLinks is how many of a line's findings it leads to.
const maxLinks = 6

// Links are the findings that the line leads to: those that weigh most.
func (m matter) Links() []int { return m.Findings[:min(len(m.Findings), maxLinks)] }

// costly are checks whose warnings make a fabricator charge for a finer process, or sort out
// more boards than usual. Warnings of other checks concern how the board looks, or ask for a
// confirmation.
var costly = []dfm.Name{
	dfm.TrackWidth, dfm.TrackClearance, dfm.PadClearance, dfm.CopperToHole, dfm.CopperToVia, dfm.CopperToPTH, dfm.CopperToNPTH,
	dfm.HoleToHole, dfm.ComponentHoleToHole, dfm.AnnularRing, dfm.ViaRing, dfm.DrillSize, dfm.NPTHDrillSize, dfm.DrillMaximum,
	dfm.SlotWidth, dfm.NPTHSlotWidth, dfm.CastellationSize, dfm.Castellation, dfm.AspectRatio, dfm.MaskBridge, dfm.ViaInPad,
	dfm.OutlineRadius, dfm.SlotTooNarrow, dfm.BoardWidth, dfm.BoardLength, dfm.BoardThickness, dfm.CopperWeight, dfm.LayerCount,
	dfm.BoardPieces,
}

// matters sums up findings in three lines: what would make the board fail, what costs money,
// and what may stay.
func matters(findings []designchecks.Finding) []matter {
	if len(findings) == 0 {
		return nil
	}
	out := []matter{
		{Kind: "fails", Title: "Would make the board fail", Words: "nothing that was found."},
		{Kind: "costs", Title: "May cost money or boards", Words: "nothing that was found."},
		{Kind: "stays", Title: "May stay as it is", Words: "nothing else was found."},
	}
	for i, f := range findings {
		k := 2
		switch {
		case f.Level == "must_fix":
			k = 0
		case f.Level == "warning" && slices.Contains(costly, dfm.Name(f.Check)):
			k = 1
		}
		out[k].Findings = append(out[k].Findings, i+1)
	}
	for k := range out {
		if len(out[k].Findings) > 0 {
			out[k].Words = kindsOf(findings, out[k].Findings)
		}
	}
	return out
}

// maxKinds is how many kinds of findings a line names.
const maxKinds = 4

// kindsOf names what some findings are about, each once, with how often it occurs where that is
// known.
func kindsOf(findings []designchecks.Finding, numbers []int) string {
	var names []string
	count := map[string]int{}
	for _, n := range numbers {
		f := findings[n-1]
		name := dfm.Name(f.Check).Words()
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		count[name] += max(f.Count, 1)
	}
	more := max(len(names)-maxKinds, 0)
	var words []string
	for _, name := range names[:len(names)-more] {
		places := "1 place"
		if count[name] > 1 {
			places = strconv.Itoa(count[name]) + " places"
		}
		words = append(words, name+" ("+places+")")
	}
	if more > 0 {
		words = append(words, strconv.Itoa(more)+" more")
	}
	return strings.Join(words, ", ") + "."
}
