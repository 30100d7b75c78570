package options

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/fabricator"
)

// A Resolver decides with one catalogue.
type Resolver struct {
	catalog *catalog.Catalog
}

// New makes a resolver over a catalogue.
func New(c *catalog.Catalog) *Resolver {
	return &Resolver{c}
}

// An Outcome is one of three: a Refusal that the client must act on; Reasons
// why people must quote the board, with what is known of it in Board; or Board
// alone, complete and within what the fabricator builds without asking.
type Outcome struct {
	Refusal *contract.Refusal
	Reasons []string
	Board   *Board
}

// A Board is what shall be built.
type Board struct {
	// Spec lacks only the destination, the build and the fabricator's file key.
	Spec     fabricator.Spec
	Details  quotes.BoardDetails
	From     map[string]string // option -> request, file:<name>, standard
	Words    string            // the board in one line
	Notes    []string
	Complete bool // every option is known; always so without Reasons
}

// Resolve decides every option of a board. stackups are those that the fabricator
// has, of which the request may name one. It never sees ITAR designs.
func (r *Resolver) Resolve(request quotes.Request, facts FileFacts, stackups ...stackups.Stackup) Outcome {
	d := r.decision(request, facts)
	misbuilt := d.takeStackup(stackups)
	refused := d.contradictions()
	d.decide()
	d.noteUnused()
	d.noteDielectrics()
	spec := d.spec()
	trial := d.trial(spec)
	contradicted, misfits := d.sortMisfits(d.misfits(trial))
	reasons, unfit := d.special(slices.Concat(misbuilt, misfits))
	imageless, lacking := d.blindSlots()
	beyond, unbuilt := d.reviewSpec(trial)
	if refused = slices.Concat(refused, unbuilt, unfit, lacking); len(refused) > 0 {
		return Outcome{Refusal: d.refuseFields(refused)}
	}
	reasons = slices.Concat(d.teamReasons(), contradicted, reasons, imageless, beyond)
	byPeople := len(reasons) > 0 || len(d.unbuildable) > 0 && request.SkipBoardChecks
	d.notePrices(byPeople)
	switch {
	case byPeople:
		return Outcome{Reasons: sentences(append(reasons, d.unbuiltReasons()...)), Board: d.board(spec)}
	case len(d.unbuildable) > 0:
		return Outcome{Refusal: d.refuseFiles()}
	case !d.hasSize():
		return Outcome{Refusal: d.refuseSize()}
	case len(d.questions) > 0:
		return Outcome{Refusal: d.ask()}
	}
	return Outcome{Board: d.board(spec)}
}

func (r *Resolver) decision(request quotes.Request, facts FileFacts) *decision {
	return &decision{Resolver: r, request: request, sent: request, facts: facts, from: map[string]string{}, known: map[string]any{}}
}

// Copper is how heavy the outer and the inner copper of a board shall be, in ounces
// per square foot, with the standard for what is open. The limits of the fabricator
// depend on it before every option is decided.
func (r *Resolver) Copper(request quotes.Request, facts FileFacts, stackups ...stackups.Stackup) (outer, inner float64) {
	request.StandardForUnstated = true
	d := r.decision(request, facts)
	d.takeStackup(stackups)
	d.decide()
	outer, inner = cmp.Or(d.copper, facts.CopperOz.Value), cmp.Or(d.innerCopper, facts.InnerCopperOz.Value) // of layers that differ, the heaviest
	return cmp.Or(outer, d.catalog.Standard.Copper), cmp.Or(inner, d.catalog.Standard.InnerCopper)
}

// IsFlexible reports whether a board is built as one that bends, as far as the request and
// the files tell.
func (r *Resolver) IsFlexible(request quotes.Request, facts FileFacts) bool {
	request.StandardForUnstated = true
	d := r.decision(request, facts)
	d.decide()
	return d.isFlexible()
}

// contradictions are fields that cannot be meant.
func (d *decision) contradictions() []contract.FieldProblem {
	problems := d.unknownWords()
	if files, requested := d.facts.Layers, d.request.Layers; requested != nil && files.isStated() && *requested != files.Value {
		problems = append(problems, contract.FieldProblem{
			Field: "layers", Problem: "contradicts_files", Allowed: []int{files.Value},
			Message: fmt.Sprintf("The files hold %s, and the request says %d: leave layers out, or upload the files of the other board.",
				copperLayers(files.Value), *requested),
		})
	}
	return append(problems, d.needlessInner()...)
}

// needlessInner refuses inner copper of a board that has none.
func (d *decision) needlessInner() []contract.FieldProblem {
	layers := d.facts.Layers.Value
	if !d.facts.Layers.isStated() && d.request.Layers != nil {
		layers = *d.request.Layers
	}
	if d.request.InnerCopperOz == nil || layers < 1 || layers > 3 {
		return nil
	}
	return []contract.FieldProblem{{
		Field: "inner_copper_oz", Problem: catalog.NotApplicable,
		Message: fmt.Sprintf("A board with %s has no inner copper: leave inner_copper_oz out.", copperLayers(layers)),
	}}
}

// misfits are the selections of fab_options that do not exist or do not go with
// the board. What an open question may still make right is left for later.
func (d *decision) misfits(trial fabricator.Spec) []contract.FieldProblem {
	problems := d.catalog.CheckOptions(d.request.FabOptions)
	known := trial
	if !d.hasSize() {
		known.Width, known.Height = 0, 0
	}
	for _, p := range d.catalog.CheckSpec(known, d.open) {
		if !slices.ContainsFunc(problems, func(q contract.FieldProblem) bool { return q.Field == p.Field }) {
			problems = append(problems, p)
		}
	}
	return problems
}

// special gives what is beyond the catalogue to the team where the client says
// that there are special requirements. A value that nobody can read stays
// refused.
func (d *decision) special(problems []contract.FieldProblem) (reasons []string, refused []contract.FieldProblem) {
	if !d.request.SpecialRequirements {
		return nil, problems
	}
	for _, p := range problems {
		switch p.Problem {
		case contradictsStackup:
			reasons = append(reasons, strings.TrimSuffix(p.Message, ".")+", and special requirements were asked for")
		case catalog.UnknownOption, catalog.Unsupported, catalog.OutOfRange, catalog.NotApplicable:
			reasons = append(reasons, "the selection "+p.Field+" is not in the catalogue and is quoted by hand")
		default:
			refused = append(refused, p)
		}
	}
	return reasons, refused
}

// unknownWords are values of the request that are no ids of the catalogue. With
// special requirements they are for the team.
func (d *decision) unknownWords() []contract.FieldProblem {
	if d.request.SpecialRequirements {
		return nil
	}
	var problems []contract.FieldProblem
	check := func(field string, value *string, allowed []string) {
		if value != nil && !slices.Contains(allowed, *value) {
			problems = append(problems, contract.FieldProblem{
				Field: field, Problem: "unsupported", Allowed: allowed,
				Message: "This is none of the values that an instant quote takes; for anything else send special_requirements: true and say it in special_notes.",
			})
		}
	}
	check("surface_finish", d.request.SurfaceFinish, d.catalog.SurfaceFinishIDs())
	check("solder_mask", d.request.SolderMask, d.catalog.SolderMaskIDs())
	check("material", d.request.Material, d.catalog.MaterialIDs())
	check("via_process", d.request.ViaProcess, d.catalog.ViaProcessIDs())
	return problems
}

func (d *decision) refuseFields(problems []contract.FieldProblem) *contract.Refusal {
	refusal := contract.RefuseFields(problems)
	if d.facts.Layers.isStated() {
		refusal.Known = map[string]any{"layers": d.facts.Layers.Value}
	}
	return refusal
}
