// Package choices says what a customer chose with a quote request, in words.
package choices

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/wording"
	"boardorder/services/console/internal/format"
)

// A Choice is one thing that a customer sent with a quote request, in words.
type Choice struct {
	Name, Value string
	Foreign     bool // the customer's own words
}

// List is all that a quote request says beyond how many boards and where to,
// in the order in which a person reads it. What the customer did not say is
// left out.
func List(q quotes.Request) []Choice {
	var out choices
	out.foreign("Project", q.ProjectName)
	out.foreign("Customer’s notes", q.SpecialNotes)
	out.foreign("Context", q.BoardContext)
	out.foreign("Board of the upload", q.Board)
	out.sayOptions(q)
	out.say("Fabrication options", fields(q.FabOptions))
	out.foreign("Fabricator’s stackup", q.FabStackup)
	out.json("Stackup in the files", q.FileStackup)
	out.json("Separate boards", q.SeparateBoards)
	out.yes("Assembly", q.Assembly)
	out.say("Parts from the customer", strings.Join(q.CustomerSuppliedRefs, ", "))
	out.say("Do not fit", strings.Join(q.DoNotFitRefs, ", "))
	for _, s := range q.Substitutions {
		out.say("Substitution", substitution(s))
	}
	out.yes("The team picks parts", q.StaffPicksParts)
	out.yes("Special requirements", q.SpecialRequirements)
	out.yes("Standard for what is not said", q.StandardForUnstated)
	out.yes("Without board checks", q.SkipBoardChecks)
	return out
}

type choices []Choice

func (w *choices) say(name, value string) {
	if value != "" {
		*w = append(*w, Choice{Name: name, Value: value})
	}
}

func (w *choices) foreign(name string, value *string) {
	if value != nil && *value != "" {
		*w = append(*w, Choice{name, *value, true})
	}
}

// yes names only what was asked for: nobody reads what was not.
func (w *choices) yes(name string, on bool) {
	if on {
		w.say(name, "yes")
	}
}

func (w *choices) json(name string, raw json.RawMessage) {
	var object map[string]any
	if json.Unmarshal(raw, &object) == nil {
		w.say(name, fields(object))
		return
	}
	w.say(name, wording.JSON(raw))
}

// sayOptions are the options that a request may name one by one.
func (w *choices) sayOptions(q quotes.Request) {
	number := func(name, unit string, v *float64) {
		if v != nil {
			w.say(name, wording.Value(*v)+unit)
		}
	}
	if q.Layers != nil {
		w.say("Layers", strconv.Itoa(*q.Layers))
	}
	number("Thickness", " mm", q.ThicknessMM)
	number("Outer copper", " oz", q.CopperOz)
	number("Inner copper", " oz", q.InnerCopperOz)
	w.foreign("Surface finish", q.SurfaceFinish)
	w.foreign("Solder mask", q.SolderMask)
	w.foreign("Material", q.Material)
	w.foreign("Vias", q.ViaProcess)
	if q.ImpedanceControlled != nil {
		w.say("Impedance controlled", wording.Value(*q.ImpedanceControlled))
	}
}

func substitution(s assemblies.Substitution) string {
	text := fmt.Sprintf("%s: %s instead of %s", s.Reference, strings.TrimSpace(s.ReplacementManufacturer+" "+s.ReplacementMPN), s.OriginalMPN)
	if s.Reason != "" {
		text += " (" + s.Reason + ")"
	}
	return text
}

// fields writes an object, a line for each name.
func fields(m map[string]any) string {
	lines := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		lines = append(lines, format.Words(name)+": "+wording.Value(m[name]))
	}
	return strings.Join(lines, "\n")
}
