// Package report puts what was measured on a board into the words and units of
// the API, and into one page for people.
package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/services/design-check/internal/fab"
	"boardorder/services/design-check/internal/overlay"
	"boardorder/services/design-check/internal/reading"
)

// Version of how reports are written. Checks written otherwise are made anew.
const Version = "9"

const (
	// Max is how many findings a report lists.
	MaxFindings = 50
	// maxPlaces is how many places of each it lists.
	maxPlaces = 20
)

// Findings gives the findings of a check, worst first.
func Findings(r *dfm.Report) []designchecks.Finding {
	out := make([]designchecks.Finding, len(r.Findings))
	for i, f := range r.Findings {
		out[i] = Finding(f)
	}
	return out
}

// Finding puts one finding into the API's words.
func Finding(f dfm.Finding) designchecks.Finding {
	out := designchecks.Finding{
		Finding: contract.Finding{Level: f.Level.String(), Check: string(f.Check), What: f.What, Answers: f.Answers}, Count: f.Count,
	}
	if f.Limit != 0 {
		value, limit := amount(f.Check, f.Value), amount(f.Check, f.Limit)
		if ratio(f.Check) {
			out.Value, out.Limit = value, limit
		} else {
			out.ValueMM, out.LimitMM = value, limit
		}
	}
	if len(f.Places) > 0 {
		out.Layer, out.Nets = f.Places[0].Layer, present(f.Places[0].Nets)
	}
	for i, p := range KeepLocated(f.Places) {
		if i == 0 {
			out.AtMM = position(p.At)
		}
		if i < maxPlaces {
			out.Places = append(out.Places, place(f.Check, p))
		}
	}
	return out
}

// KeepLocated gives the places that are somewhere, rather than on a layer as a whole.
func KeepLocated(places []dfm.Place) []dfm.Place {
	var out []dfm.Place
	for _, p := range places {
		if p.At != (geom.Point{}) || p.To != (geom.Point{}) || p.Value != 0 || p.Objects[0] != "" || p.Nets[0] != "" {
			out = append(out, p)
		}
	}
	return out
}

// ratio are the checks whose values are no lengths.
func ratio(n dfm.Name) bool {
	return n == dfm.AspectRatio || n == dfm.LayerCount || n == dfm.CopperWeight
}

// amount is a value in the unit that the API has for it.
func amount(n dfm.Name, v int64) *float64 {
	x := mm(v)
	switch n {
	case dfm.AspectRatio:
		x = float64(v) / 1000
	case dfm.LayerCount, dfm.CopperWeight:
		x = float64(v)
	}
	return &x
}

// mm rounds to a micrometre: below that files differ by their units.
func mm(nm int64) float64 { return math.Round(float64(nm)/float64(geom.Micrometre)) / 1000 }

func position(p geom.Point) []float64 { return []float64{mm(p.X), mm(p.Y)} }

func place(n dfm.Name, p dfm.Place) designchecks.Place {
	out := designchecks.Place{Layer: p.Layer, AtMM: position(p.At), Objects: present(p.Objects), Nets: present(p.Nets)}
	if overlay.HasEnd(p) {
		out.ToMM = position(p.To)
	}
	if p.Value != 0 && !ratio(n) {
		out.ValueMM = amount(n, p.Value)
	}
	return out
}

func present(pair [2]string) []string {
	var out []string
	for _, s := range pair {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// covered are the readers' codes that a check reports better.
var covered = map[string]dfm.Name{
	"mask_missing": dfm.LayerMissing, "layer_missing": dfm.LayerMissing, "layer_count_mismatch": dfm.LayerMissing,
	"copper_missing": dfm.LayerMissing, "layer_twice": dfm.LayerExtra, "holes_off_board": dfm.HoleWithoutCopper,
	"outline_missing": dfm.OutlineMissing, "outline_open": dfm.OutlineOpen, "outline_gap": dfm.OutlineOpen,
}

// FileFindings gives what the readers had to say beside what was found: the problems
// of the board's own files are among that. Before anything was found it is nil.
func FileFindings(p *pcb.Project, b *pcb.Board, found []designchecks.Finding) []designchecks.Finding {
	out := BoardFindings(b, found)
	for _, f := range reading.Findings(p.Findings) {
		out = append(out, designchecks.Finding{Finding: f})
	}
	return out
}

// BoardFindings is the part of FileFindings that is about the board's own files.
func BoardFindings(b *pcb.Board, found []designchecks.Finding) []designchecks.Finding {
	var out []designchecks.Finding
	for _, own := range b.Findings {
		f := reading.Finding(own, b)
		again := found != nil && own.Level == pcb.Problem || slices.ContainsFunc(found, func(g designchecks.Finding) bool {
			return covered[f.Check] != "" && g.Check == string(covered[f.Check]) && rank(g.Level) <= rank(f.Level)
		})
		if !again {
			out = append(out, designchecks.Finding{Finding: f})
		}
	}
	return out
}

// implied are checks that say less than a reader's finding of the same thing.
var implied = map[string][]string{string(dfm.OutlineMissing): {"outline_elsewhere", "outline_repeated", "outline_parts"}}

// DropImplied leaves out what another finding says better.
func DropImplied(all []designchecks.Finding) []designchecks.Finding {
	return slices.DeleteFunc(slices.Clone(all), func(f designchecks.Finding) bool { // of a copy, for all is looked at meanwhile
		better := implied[f.Check]
		return f.Level != "must_fix" && slices.ContainsFunc(all, func(g designchecks.Finding) bool { return slices.Contains(better, g.Check) })
	})
}

// Impossible are the findings that say why a fabricator cannot build the board,
// where its limits do and no finding does.
func Impossible(v fab.Verdict, all []designchecks.Finding) []designchecks.Finding {
	var out []designchecks.Finding
	for _, b := range v.Broken {
		reported := slices.ContainsFunc(all, func(f designchecks.Finding) bool { return f.Check == string(b.Check) && f.Level == "must_fix" })
		if v.Verdict == fab.CannotBuild && !reported {
			out = append(out, designchecks.Finding{Finding: contract.Finding{
				Level: "must_fix", Check: string(b.Check), What: "The fabricator cannot build this: " + b.What + ".", Layer: b.Layer,
			}})
		}
	}
	return out
}

// Join puts lists of findings together, worst first, each once.
func Join(lists ...[]designchecks.Finding) []designchecks.Finding {
	var out []designchecks.Finding
	seen := map[string]bool{}
	for _, f := range slices.Concat(lists...) {
		if key := f.Check + "\x00" + f.What; !seen[key] {
			seen[key] = true
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b designchecks.Finding) int { return rank(a.Level) - rank(b.Level) })
	return out
}

func rank(level string) int { return slices.Index([]string{"must_fix", "warning", "note"}, level) }

// List is what a report lists of the findings, and how many more there are.
func List(all []designchecks.Finding) (listed []designchecks.Finding, more int) {
	all = Join(all)
	for _, f := range all[:min(len(all), MaxFindings)] {
		listed = append(listed, tidy(f))
	}
	return listed, len(all) - len(listed)
}

// Verdicts puts what fabricators' limits say into the API's shape.
func Verdicts(in []fab.Verdict) []designchecks.FabVerdict {
	out := make([]designchecks.FabVerdict, len(in))
	for i, v := range in {
		out[i] = designchecks.FabVerdict{
			ID: v.ID, Fabricator: v.Name, Primary: v.Primary, Verdict: v.Verdict, Unchecked: v.Unchecked, Note: v.Note,
		}
		for _, b := range v.Broken {
			out[i].Broken = append(out[i].Broken, breakOf(b))
		}
		for _, s := range v.Sources {
			out[i].Sources = append(out[i].Sources, designchecks.FabSource{Title: s.Title, URL: s.URL, Checked: s.Checked})
		}
	}
	return out
}

func breakOf(b fab.Break) designchecks.FabBroken {
	out := designchecks.FabBroken{Check: string(b.Check), What: b.What, Layer: b.Layer}
	value, limit := &out.ValueMM, &out.LimitMM
	if ratio(b.Check) {
		value, limit = &out.Value, &out.Limit
	}
	if b.Measured != 0 {
		*value = amount(b.Check, b.Measured)
	}
	if b.Limit != 0 {
		*limit = amount(b.Check, b.Limit)
	}
	return out
}

// Assumptions says what the check took for granted, and what it could not judge.
func Assumptions(d designchecks.DesignCheck, b *pcb.Board, r *dfm.Report) []string {
	out := []string{fmt.Sprintf("Checked for %s oz outer copper and a thickness of %s mm.", decimal(d.CopperOz), decimal(d.ThicknessMM))}
	if t := b.Facts.Thickness; t.IsStated() && math.Abs(mm(t.Value)-d.ThicknessMM) > 0.05 {
		out = append(out, fmt.Sprintf("The files state a thickness of %s mm: send thickness_mm to check for that.", decimal(mm(t.Value))))
	}
	if c := b.Facts.OuterCopper; c.IsStated() && math.Abs(c.Value-d.CopperOz) > 0.05 {
		out = append(out, fmt.Sprintf("The files state %s oz outer copper: send copper_oz to check for that.", decimal(c.Value)))
	}
	out = append(out, r.Assumed...)
	for _, u := range r.Unchecked {
		out = append(out, "Not checked: "+strings.TrimSuffix(u, ".")+".")
	}
	return out
}

func decimal(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }
