package partsourcing

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/fit"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/sourcing"
)

// A work is an assembly that is being worked out.
type work struct {
	by      *assembler
	sourcer *sourcing.Sourcer
	boards  int64
	choices assemblies.Choices
	kit     kit.Kit
	plan    assembly.Plan
	rates   assemblyprice.Rates
	list    List  // what is bought
	at      []int // for each of its lines the line of the plan
	state   assemblies.Plan
	prefix  string // of the blobs of this attempt
}

// madePrefix begins the names of what an attempt at an assembly makes, below what
// else was made of the board's files.
const madePrefix = "/assembly-"

// readPoll is how long a command waits until it looks whether the files are read;
// the reading itself ends the wait.
const readPoll = time.Second

// work reads what there is to know before suppliers are asked.
func (s *assembler) work(ctx context.Context, data assemblies.AssembleData, attempt int) (*work, error) {
	k, prefix, err := s.kit(ctx, data)
	if err != nil {
		return nil, err
	}
	if r := refuseUnlisted(k); r != nil {
		return nil, r
	}
	rates, ok := s.rates.RatesOn(s.now())
	if !ok {
		return nil, fmt.Errorf("no rates of assembly on %s", s.now())
	}
	w := planKit(k, data, &rates)
	w.by, w.prefix = s, fmt.Sprintf("%s%s%s-%d/", strings.TrimSuffix(prefix, "/"), madePrefix, data.Assembly, attempt)
	if err := s.draw(ctx, w); err != nil {
		return nil, err
	}
	return w, nil
}

// planKit makes the plan of a kit, and what is said of it; nobody is asked.
func planKit(k kit.Kit, data assemblies.AssembleData, rates *assemblyprice.Rates) *work {
	w := &work{boards: int64(data.Boards), choices: data.Choices, kit: k, rates: *rates}
	w.plan = assembly.Match(k.List, k.Places, choices(data.Choices))
	w.kit.Places, w.kit.Fits, w.kit.Outlines = w.plan.Places, respell(k.Fits, w.plan.Spelling), respell(k.Outlines, w.plan.Spelling)
	lines, at := sourcing.Lines(w.plan.Lines, w.boards, rates, w.kit.Fits)
	w.at = at
	w.compare(lines)
	w.list = List{request: sourcing.Request{Boards: w.boards, Lines: lines, Since: data.Since}, notes: append(notesOf(k.List.Notes), designatorNotes(w.plan)...)}
	w.say()
	return w
}

// respell writes the designators of a map as a plan does.
func respell[V any](of map[string]V, s assembly.Spelling) map[string]V {
	out := make(map[string]V, len(of))
	for _, ref := range slices.Sorted(maps.Keys(of)) {
		name := s.Spell(ref)
		if _, exact := of[name]; name == ref || !exact {
			out[name] = of[ref]
		}
	}
	return out
}

func choices(c assemblies.Choices) assembly.Choices {
	out := assembly.Choices{DoNotFit: c.DoNotFitRefs, CustomerSupplied: c.CustomerSuppliedRefs}
	for _, s := range c.Substitutions {
		out.Substitutions = append(out.Substitutions, assembly.Substitution{
			Reference: s.Reference, Original: s.OriginalMPN, Replacement: s.ReplacementMPN, Manufacturer: s.ReplacementManufacturer, Reason: s.Reason,
		})
	}
	return out
}

// say puts the plan into the contract's words.
func (w *work) say() {
	p := &w.state
	p.Files, p.Unknown, p.Split, p.Unlisted = w.kit.Files, w.plan.UnknownRefs, w.plan.SplitRefs, refdes.Plain(w.plan.Unlisted)
	p.Both = w.plan.Both
	p.NoUnit, p.Empty = w.kit.NoUnit, true
	p.NoPlaces = !slices.ContainsFunc(w.kit.Places, func(l placement.List) bool { return len(l.Parts) > 0 })
	for _, q := range w.plan.OffBoard {
		why := w.explainUnplaced(q.Refs)
		if slices.ContainsFunc(q.Refs, func(ref string) bool { return slices.Contains(w.plan.CaseApart, ref) }) {
			why += " The list names another part by the same designator in other letters, small or capital, so the two were taken for different places."
		}
		p.OffBoard = append(p.OffBoard, question(q, why))
	}
	for _, q := range w.plan.Beside {
		p.OffBoard = append(p.OffBoard, question(q, "Its position lies off the board."))
	}
	for _, q := range w.plan.Marked {
		why := "The bill of materials marks it as not to be fitted, and the placements list it."
		if q.Optional {
			why = "The bill of materials calls it optional, and the placements list it: is it to be fitted? Leave the word out of the list if it is."
		}
		p.OffBoard = append(p.OffBoard, question(q, why))
	}
	for k, i := range w.at {
		switch v := &w.list.request.Lines[k]; {
		case v.Aside != "" || w.isAsked(i):
		case v.ID.Certainty == identity.None:
			p.Unnamed = append(p.Unnamed, w.partQuestion(k, i))
		case v.ID.OpenVoltage:
			p.Unrated = append(p.Unrated, w.voltageQuestion(k, i))
		}
	}
	p.Doubtful, p.OffPads = w.doubtful(), w.partsOffPads()
	for _, d := range w.kit.Doubts {
		p.Misread = append(p.Misread, assemblies.Misread(d))
	}
	for _, u := range w.kit.Unread {
		p.Unread = append(p.Unread, assemblies.UnreadFile{File: u.File, Why: u.Why})
	}
	for i, s := range w.plan.Substitutions {
		p.Substs = append(p.Substs, assemblies.RequestedSub{Substitution: w.choices.Substitutions[i], Applied: s.Applied || s.Why == assembly.WhySameAsBefore || s.Why == assembly.WhyLeftOff, Why: substWords[s.Why]})
	}
	for i := range w.plan.Lines {
		if l := &w.plan.Lines[i]; l.IsFitted() {
			p.Empty = false
			top, bottom := sides(l)
			p.Top, p.Bottom = p.Top+top, p.Bottom+bottom
		}
	}
	p.Notes = w.notes()
}

// isAsked reports whether a line is one of the questions about places.
func (w *work) isAsked(i int) bool {
	row, ref := w.plan.Lines[i].Row, headRef(w.plan.Lines[i].Refs)
	same := func(q assembly.Question) bool { return q.Row == row && slices.Contains(q.Refs, ref) }
	return slices.ContainsFunc(w.plan.OffBoard, same) || slices.ContainsFunc(w.plan.Beside, same) || slices.ContainsFunc(w.plan.Marked, same)
}

var substWords = map[string]string{
	"":                       "The replacement is fitted in place of the part that the bill of materials names.",
	assembly.WhyNoLine:       "No line of the bill of materials has this reference.",
	assembly.WhyOtherPart:    "The line names another part than original_mpn.",
	assembly.WhyIncomplete:   "It names no replacement, or neither a reference nor an original part.",
	assembly.WhyNotInList:    "No line of the bill of materials names original_mpn.",
	assembly.WhySameAsBefore: "The line names that part already.",
	assembly.WhyLeftOff:      "The line is left off, so neither part is fitted there.",
	assembly.WhyTwice:        "Another substitution already puts another part there; send one for each reference.",
}

// sides counts the pieces of a line on each side of a board.
func sides(l *assembly.Line) (top, bottom int) {
	for _, p := range l.Places {
		if p.Side == placement.Bottom {
			bottom++
		}
	}
	return l.Count() - bottom, bottom
}

// notes say what of the list and the placements a customer should know.
func (w *work) notes() []string {
	notes := append(slices.Clone(w.list.notes), unreadNotes(w.kit.Unread)...)
	var off []string
	for i := range w.plan.Lines {
		if l := &w.plan.Lines[i]; l.DNP && l.LeftOff && !l.Mechanical {
			off = append(off, l.Refs...)
		}
	}
	if len(off) > 0 {
		notes = append(notes, "Parts that the bill of materials marks as not to be fitted stay off: "+refdes.Name(off)+".")
	}
	if len(w.plan.PlacedOff) > 0 {
		notes = append(notes, "Parts that the placements mark as not to be fitted stay off: "+refdes.Name(w.plan.PlacedOff)+".")
	}
	if len(w.plan.Unlisted) > 0 {
		notes = append(notes, "Parts that have a position and stand on no line of the bill of materials are not fitted: "+refdes.Name(w.plan.Unlisted)+".")
	}
	if len(w.plan.Mechanical) > 0 {
		notes = append(notes, "Fiducials, holes, test points and drawings that name no part are left off: "+refdes.Name(w.plan.Mechanical)+".")
	}
	notes = append(notes, placeNotes(w.kit.Places)...)
	switch at := w.kit.Offset; {
	case w.kit.Moved && at != nil:
		notes = append(notes, fmt.Sprintf("The placements have another origin than the board's files: moved by %.2f mm in x and %.2f mm in y they lie on the pads.", float64(at.X)/1e6, float64(at.Y)/1e6))
	case w.kit.Moved:
		notes = append(notes, "The placements have another origin than the board's files: they fit the board only when all are moved by one offset, so their places could not be checked.")
	}
	if len(w.plan.TwicePlaced) > 0 {
		notes = append(notes, "References with several positions are fitted at the first: "+refdes.Name(w.plan.TwicePlaced)+".")
	}
	return notes
}

// placeTexts word what is odd about placements, by the references concerned.
var placeTexts = []struct{ code, text string }{
	{placement.SideUnclear, "The placements name no side that is known; the top was taken, or the side that the file is for: %s."},
	{placement.SideMissing, "The placements do not say the side; the top was taken: %s."},
	{placement.TurnUnclear, "The rotation is no number and was taken for 0: %s."},
	{placement.TurnEmpty, "The rotation is empty and was taken for 0: %s."},
	{placement.TurnMissing, "The placements do not say how parts are turned; 0 was taken for all."},
	{placement.FitUnclear, "A cell of the placements about fitting says neither yes nor no; the part is fitted: %s."},
	{placement.Unreadable, "Positions that are no numbers were not read: %s."},
	{placement.FarAway, "Positions beyond two metres were not read: %s."},
	{placement.PlacementsCut, "The placements are longer than is read; the rest was left out."},
}

// placeNotes say what is odd about placements.
func placeNotes(lists []placement.List) []string {
	refs := map[string][]string{}
	var out []string
	for _, l := range lists {
		for _, n := range l.Notes {
			refs[n.Code] = append(refs[n.Code], n.Refs...)
			if n.Code == placement.UnitGuessed {
				out = append(out, fmt.Sprintf("%s does not say the unit of its positions; %s were taken.", nameInSentence(l.File), l.Unit))
			}
		}
	}
	for _, t := range placeTexts {
		concerned, reported := refs[t.code]
		switch {
		case !reported:
		case strings.Contains(t.text, "%s"):
			out = append(out, fmt.Sprintf(t.text, refdes.Name(concerned)))
		default:
			out = append(out, t.text)
		}
	}
	return out
}

// price puts what was found into what the build costs.
func (w *work) price(r sourcing.Report, at time.Time) assemblies.Price {
	made := w.rates.Assemble(assemblyprice.Job{Boards: w.boards, Uses: sourcing.Uses(w.plan.Lines, r.Parts, w.at, w.kit.Fits)})
	p := assemblies.Price{Service: made.Service, WorkCents: made.Cents, PartsCents: r.Summary.PartsCents, Days: made.Days, At: at, Work: []prices.Line{}}
	for _, l := range made.Lines {
		p.Work = append(p.Work, prices.Line{Label: l.Label, Cents: l.Cents})
	}
	for _, k := range sourcing.FindUnnamed(w.list.request.Lines, r.Parts) {
		if w.list.request.Lines[k].ID.Certainty == identity.Guessed {
			w.state.Unnamed = append(w.state.Unnamed, w.unknown(k, r.Parts[k].Why))
		}
	}
	bought := map[int]int{}
	for k, i := range w.at {
		bought[i] = k
	}
	for i := range w.plan.Lines {
		l := &w.plan.Lines[i]
		part := w.part(l)
		if k, ok := bought[i]; ok {
			v := &r.Parts[k]
			if part.Misfit = v.Misfit; l.CustomerSupplied {
				part.Verdict, part.Why = string(v.Verdict), v.Why
			} else {
				part.Found = reportPart(v)
				part.Replaces = cmp.Or(part.Replaces, l.Original)
				part.CostCents, part.Picked = v.CostCents, w.list.request.Lines[k].ID.Certainty != identity.Exact
			}
			p.Checks = append(p.Checks, fit.Examine(w.list.request.Lines[k], *v, w.kit.Fits[headRef(l.Refs)]))
			if v.Bought > 0 && v.Library == "" {
				p.PartsDays = w.rates.PartsDays
			}
		}
		p.Parts = append(p.Parts, part)
	}
	return p
}

func headRef(refs []string) string {
	if len(refs) == 0 {
		return ""
	}
	return refs[0]
}

// part is a line as it is built, before anybody was asked about it.
func (w *work) part(l *assembly.Line) assemblies.Part {
	p := assemblies.Part{
		Found: partchecks.Found{
			Reference: strings.Join(l.Refs, ","), Part: echo(l.NameOrDescription()),
			QuantityPerBoard: int64(l.Count()), MPN: echo(l.MPN), Manufacturer: echo(l.Manufacturer), Replaces: l.Original,
		},
		Fitting: assemblies.Fitted, Footprint: l.Footprint, Description: l.Description, Approved: l.Substituted, ThroughHole: sourcing.IsHandSoldered(l, w.kit.Fits),
	}
	switch top, bottom := sides(l); {
	case len(l.Places) == 0:
	case top > 0 && bottom > 0:
		p.Side = "both"
	case bottom > 0:
		p.Side = "bottom"
	default:
		p.Side = "top"
	}
	switch {
	case !l.IsFitted():
		p.Fitting, p.Why = assemblies.LeftOff, sourcing.ReasonLeftOff(l)
	case l.CustomerSupplied:
		p.Fitting = assemblies.CustomerSupplied
	}
	return p
}
