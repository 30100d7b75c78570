package options

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/stackups"
)

// contradictsStackup is the problem of a field beside a stackup that is built otherwise.
const contradictsStackup = "contradicts_stackup"

// takeStackup finds the stackup that the request names among those that the fabricator
// has and takes what it fixes: layers, thickness, copper and material. What the request
// says otherwise beside it is refused, and so is a code that is not for this board.
func (d *decision) takeStackup(has []stackups.Stackup) []contract.FieldProblem {
	if d.request.FabStackup == nil {
		return nil
	}
	code := strings.TrimSpace(*d.request.FabStackup)
	var named []stackups.Stackup // one code may be listed for several thicknesses or weights
	for _, s := range has {
		if s.IsNamed(code) {
			named = append(named, s)
		}
	}
	if p := d.checkCode(code, named, has); p != nil {
		return []contract.FieldProblem{*p}
	}
	fits := func(s stackups.Stackup) bool { return !slices.ContainsFunc(d.stackupOptions(s), fixedOption.differs) }
	d.stackup = &named[max(0, slices.IndexFunc(named, fits))]
	d.from["fab_stackup"] = fromRequest
	if fits(*d.stackup) {
		d.applyStackup()
		return nil
	}
	return d.contradictionsOf(named)
}

// checkCode is what is wrong with a code: nothing has it, or a board of another layer count.
func (d *decision) checkCode(code string, named, has []stackups.Stackup) *contract.FieldProblem {
	switch layers := d.facts.Layers; {
	case len(named) > 0 && layers.isStated() && named[0].Layers != layers.Value:
		return &contract.FieldProblem{
			Field: "fab_stackup", Problem: "contradicts_files", Allowed: stackups.Codes(has, layers.Value),
			Message: fmt.Sprintf("Stackup %s has %s, and the files hold %s: choose one of allowed, or leave fab_stackup out.",
				named[0].Code, copperLayers(named[0].Layers), copperLayers(layers.Value)),
		}
	case len(named) > 0:
		return nil
	default:
		n := layers.Value
		if !layers.isStated() && d.request.Layers != nil {
			n = *d.request.Layers
		}
		unknown := stackups.RefuseUnknown(code, has, n)
		return &unknown
	}
}

// A fixedOption is an option that a stackup fixes, and what the request says of it.
type fixedOption struct {
	field, unit string
	sent, has   any // sent is nil where the request says nothing
}

func (f fixedOption) differs() bool {
	if f.sent == nil {
		return false
	}
	sent, number := f.sent.(float64)
	if !number {
		return f.sent != f.has
	}
	return math.Abs(sent-f.has.(float64)) > requestSlack
}

// stackupOptions lists what a stackup fixes.
func (d *decision) stackupOptions(s stackups.Stackup) []fixedOption {
	return []fixedOption{
		{"layers", "", valueOf(d.sent.Layers), s.Layers},
		{"thickness_mm", " mm", valueOf(d.sent.ThicknessMM), s.ThicknessMM},
		{"copper_oz", " oz", valueOf(d.sent.CopperOz), s.CopperOz},
		{"inner_copper_oz", " oz", valueOf(d.sent.InnerCopperOz), s.InnerCopperOz},
		{"material", "", valueOf(d.sent.Material), s.Material},
	}
}

func valueOf[T any](v *T) any {
	if v == nil {
		return nil
	}
	return *v
}

// contradictionsOf refuses each field that no stackup of this code has.
func (d *decision) contradictionsOf(named []stackups.Stackup) []contract.FieldProblem {
	var problems []contract.FieldProblem
	for i, f := range d.stackupOptions(*d.stackup) {
		if !f.differs() || f.field == "layers" && d.facts.Layers.isStated() { // the files decide those
			continue
		}
		var allowed []any
		for _, s := range named {
			if v := d.stackupOptions(s)[i].has; !slices.Contains(allowed, v) {
				allowed = append(allowed, v)
			}
		}
		problems = append(problems, contract.FieldProblem{
			Field: f.field, Problem: contradictsStackup, Allowed: allowed,
			Message: fmt.Sprintf("%s is %v%s, and stackup %s has %v%s: leave %s out, or choose another stackup.", f.field, f.sent, f.unit, d.stackup.Code, f.has, f.unit, f.field),
		})
	}
	return problems
}

// applyStackup puts what the stackup fixes where the request says nothing.
func (d *decision) applyStackup() {
	s, r := d.stackup, &d.request
	r.ThicknessMM, r.CopperOz, r.InnerCopperOz, r.Material = &s.ThicknessMM, &s.CopperOz, &s.InnerCopperOz, &s.Material
	if r.Layers == nil {
		r.Layers = &s.Layers
	}
	if s.Layers < 4 {
		r.InnerCopperOz = nil
	}
}

// asker says who asks for an option where the files say another value.
func (d *decision) asker(option string) string {
	if d.stackup != nil && slices.ContainsFunc(d.stackupOptions(*d.stackup), func(f fixedOption) bool { return f.field == option && f.sent == nil }) {
		return "stackup " + d.stackup.Code + " of the request has"
	}
	return "the request says"
}

// noteDielectrics says what lies between the copper layers by the files, which no option of a
// quote asks for, beside what is built.
func (d *decision) noteDielectrics() {
	f := d.facts.Dielectrics
	if !f.isStated() || isSet(d.request.FileStackup) {
		return
	}
	if d.stackup == nil {
		d.notes = append(d.notes, fmt.Sprintf("The files have %s between the copper layers; the fabricator's own stackup is built, where that may be otherwise. fab_stackup chooses one, file_stackup asks for that of the files.", f.Value))
		return
	}
	var sheets []string
	for _, s := range d.stackup.Sheets {
		if s.Kind != "copper" {
			sheets = append(sheets, s.Kind+" "+s.Content)
		}
	}
	has := ""
	if len(sheets) > 0 {
		has = " with " + strings.Join(sheets, ", ")
	}
	d.notes = append(d.notes, fmt.Sprintf("The files have %s between the copper layers; stackup %s of the request is built%s.", f.Value, d.stackup.Code, has))
}
