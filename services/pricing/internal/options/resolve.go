package options

import (
	"fmt"
	"slices"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/fabricator"
)

// A Resolver decides with one catalogue.
type Resolver struct {
	catalog *catalog.Catalog
	aliases aliases
}

// New makes a resolver over a catalogue.
func New(c *catalog.Catalog) (*Resolver, error) {
	a, err := readAliases()
	return &Resolver{c, a}, err
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
	Details  contract.BoardDetails
	From     map[string]string // option -> request, file:<name>, standard
	Words    string            // the board in one line
	Notes    []string
	Complete bool // every option is known; always so without Reasons
}

// Resolve decides every option of a board. It never sees ITAR designs.
func (r *Resolver) Resolve(request contract.QuoteRequest, facts FileFacts) Outcome {
	d := &decision{Resolver: r, request: request, facts: facts, from: map[string]string{}, known: map[string]any{}}
	if refusal := d.contradictions(); refusal != nil {
		return Outcome{Refusal: refusal}
	}
	d.decide()
	spec := d.spec()
	reasons := d.wishes()
	reasons = append(reasons, d.beyond(d.trial(spec))...)
	if len(d.questions) == 0 && d.sized() {
		if problems := r.catalog.CheckSpec(spec); len(problems) > 0 {
			return Outcome{Refusal: refuseFields(problems)}
		}
	}
	switch {
	case len(reasons) > 0 || len(d.unbuildable) > 0 && request.SkipBoardChecks:
		return Outcome{Reasons: append(reasons, d.unbuildable...), Board: d.board(spec)}
	case len(d.unbuildable) > 0:
		return Outcome{Refusal: d.refuseFiles()}
	case !d.sized():
		return Outcome{Refusal: d.refuseSize()}
	case len(d.questions) > 0:
		return Outcome{Refusal: d.ask()}
	}
	return Outcome{Board: d.board(spec)}
}

// contradictions are fields that cannot be meant.
func (d *decision) contradictions() *contract.Refusal {
	problems := d.catalog.CheckOptions(d.request.FabOptions)
	problems = append(problems, d.unknownWords()...)
	if files, asked := d.facts.Layers, d.request.Layers; asked != nil && files.stated() && *asked != files.Value {
		problems = append(problems, contract.FieldProblem{
			Field: "layers", Problem: "contradicts_files", Allowed: []int{files.Value},
			Message: fmt.Sprintf("The files hold %s, and the request says %d: leave layers out, or upload the files of the other board.",
				copperLayers(files.Value), *asked),
		})
	}
	if len(problems) == 0 {
		return nil
	}
	refusal := refuseFields(problems)
	if d.facts.Layers.stated() {
		refusal.Known = map[string]any{"layers": d.facts.Layers.Value}
	}
	return refusal
}

// unknownWords are values of the request that are no ids of the catalogue.
func (d *decision) unknownWords() []contract.FieldProblem {
	var problems []contract.FieldProblem
	check := func(field string, value *string, allowed []string) {
		if value != nil && !slices.Contains(allowed, *value) {
			problems = append(problems, contract.FieldProblem{
				Field: field, Problem: "unsupported", Allowed: allowed,
				Message: "This is none of the values that an instant quote takes; for anything else send special_requirements: true and say it in special_notes.",
			})
		}
	}
	check("surface_finish", d.request.SurfaceFinish, choiceIDs(d.catalog.SurfaceFinishes))
	check("solder_mask", d.request.SolderMask, maskIDs(d.catalog.SolderMasks))
	check("material", d.request.Material, materialIDs(d.catalog.Materials))
	check("via_process", d.request.ViaProcess, choiceIDs(d.catalog.ViaProcesses))
	return problems
}

func refuseFields(problems []contract.FieldProblem) *contract.Refusal {
	refusal := contract.Refuse(contract.InvalidRequest, "%s", problems[0].Message)
	if len(problems) > 1 {
		refusal.Message = fmt.Sprintf("%d fields were refused; fields says which and why.", len(problems))
	}
	refusal.Fields = problems
	return refusal
}

func choiceIDs(choices []catalog.Choice) []string {
	ids := make([]string, len(choices))
	for i, c := range choices {
		ids[i] = c.ID
	}
	return ids
}

func maskIDs(masks []catalog.Mask) []string {
	ids := make([]string, len(masks))
	for i, m := range masks {
		ids[i] = m.ID
	}
	return ids
}

func materialIDs(materials []catalog.Material) []string {
	ids := make([]string, len(materials))
	for i, m := range materials {
		ids[i] = m.ID
	}
	return ids
}
