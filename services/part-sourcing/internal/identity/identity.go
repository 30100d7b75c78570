// Package identity tells which part a line of a bill of materials means: one
// named by a number, a passive part named by its specification, or nothing that
// could be bought.
package identity

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/part"
)

// A Certainty is how sure it is which part a line means.
type Certainty string

// The certainties.
const (
	Exact   Certainty = "exact"   // a number names the part
	Passive Certainty = "passive" // value and size name it; any part of that specification will do
	Guessed Certainty = "guessed" // the value looks like a part number: to be looked at
	None    Certainty = "none"    // nothing names a part
)

// An Identity is which part a line means.
type Identity struct {
	Certainty Certainty
	// Queries are what to ask for, the first that is found counts. With Passive
	// each is another manufacturer's part of the specification.
	Queries []part.Query
	Spec    passive.Spec // with Passive, and with Exact where the number gives it
	HasSpec bool
	Assumed []string // what the line leaves open and was assumed, in words
	Why     string   // with None: one of the Why codes
	Unread  []string // with Passive: words of the line that were not understood
	// OpenVoltage says that the line leaves a capacitor's voltage open and that nothing
	// tells it: Queries have several, the highest first.
	OpenVoltage bool
	// Value is what may be the part's number where nobody has the codes that the line
	// gives; else "".
	Value string
	// Numbers are those of a cell that names several parts, in its order: the first is meant
	// before the others.
	Numbers []string
}

// A Rail is the supply that a capacitor lies at, by the names of its nets.
type Rail struct {
	Millivolts int64 // 0: not told
	Net        string
}

// derating is how many times the voltage of its rail a capacitor is rated for: at its
// rated voltage a ceramic one of class 2 keeps little of its capacitance, and it fails
// short.
const derating = 2

// Why a line names no part.
const (
	WhyNothing  = "nothing_named"     // neither a number nor a value
	WhyNoSize   = "passive_no_size"   // a passive part's value without its size
	WhyNotPlain = "not_told_by_value" // an electrolytic capacitor, a potentiometer: its value alone names no part
	WhyNoValue  = "value_names_none"  // a value that is no part number
	WhyNoSeries = "no_usual_part"     // no usual series has that value in that size
	WhySeveral  = "several_values"    // one line names several values
	WhyDisputed = "lines_differ"      // several lines name different parts for it
)

// Identify tells which part a line means; on is the rail that it lies at, where nets tell.
func Identify(l *bom.Line, on Rail) Identity {
	if len(l.Disputed) > 0 {
		return Identity{Certainty: None, Why: WhyDisputed}
	}
	spec, unread, ok := Read(l)
	if l.Exact() {
		return exact(l)
	}
	inValue := quantity(l.Value)
	switch number, known := passive.Read(l.Value); {
	case known:
		id := Identity{Certainty: Exact, Spec: number.Spec, HasSpec: true}
		id.add(part.MPN, l.Value, l.Manufacturer)
		return id
	case ok && (hasOtherValues(spec, unread.Value) || (inValue || l.Value == "") && hasOtherValues(spec, findValues(spec.Kind, unread.Description))):
		return Identity{Certainty: None, Spec: spec, HasSpec: true, Why: WhySeveral}
	case !ok && joinsValues(l):
		return Identity{Certainty: None, Why: WhySeveral}
	case ok && (inValue || !mpn.Looks(l.Value)):
		id := identifyByValue(spec, on)
		id.Unread = slices.Concat(unread.Value, unread.Description)
		return id
	case inValue:
		return Identity{Certainty: None, Why: WhyNotPlain}
	}
	return guess(l)
}

// placeOf is a designator of a place for a part of each kind.
var placeOf = map[passive.Kind]string{passive.Resistor: "R1", passive.Capacitor: "C1", passive.Inductor: "L1", passive.Ferrite: "FB1"}

// hasOtherValues reports whether words that were not understood are other values of the part:
// "10k or 12k". A bare number may be a size.
func hasOtherValues(spec passive.Spec, words []string) bool {
	ref := placeOf[spec.Kind]
	return slices.ContainsFunc(words, func(w string) bool {
		other, ok := passive.Parse(passive.Line{Ref: ref, Value: w})
		return ok && other.Value != spec.Value && strings.ContainsFunc(w, unicode.IsLetter)
	})
}

// unitForm is a value with its unit: of other words of a description nobody knows whether
// they are one.
var unitForm = regexp.MustCompile(`^[0-9]+(?:[.,][0-9]+)?(?:[pnuµμm]?[FH]|[kKM]?(?:Ω|Ω|[oO]hms?)|[kKMR][0-9]*)$`)

// findValues are words of a description that are values. A ferrite's has its resistance,
// too.
func findValues(kind passive.Kind, words []string) []string {
	if kind == passive.Ferrite {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return !unitForm.MatchString(w) })
}

// joinsValues reports whether a value is made of several, different ones: "4k7/10k", "100/220".
func joinsValues(l *bom.Line) bool {
	ref := placeOf[passive.KindOf(Words(l))]
	parts := strings.FieldsFunc(l.Value, func(r rune) bool { return strings.ContainsRune("/+&|;,\n", r) })
	if ref == "" || len(parts) < 2 {
		return false
	}
	values := map[int64]bool{}
	for _, part := range parts {
		s, ok := passive.Parse(passive.Line{Ref: ref, Value: strings.TrimSpace(part)})
		if !ok {
			return false
		}
		values[s.Value] = true
	}
	return len(values) > 1
}

// quantity reports whether text is a value of some passive part: "330uF", "10k".
func quantity(text string) bool {
	for _, ref := range []string{"C1", "L1", "R1"} {
		if _, ok := passive.Parse(passive.Line{Ref: ref, Value: text}); ok {
			return true
		}
	}
	return false
}

// exact asks by every number that the line gives, the most certain first. What the
// line's text says of the part is not what the part is.
func exact(l *bom.Line) Identity {
	id := Identity{Certainty: Exact, Numbers: l.Joined}
	id.add(part.FabCode, l.FabCode, "")
	id.add(part.MPN, l.MPN, l.Manufacturer)
	for _, n := range molex(l.MPN, l.Manufacturer) {
		id.add(part.MPN, n, "Molex")
	}
	for _, c := range l.Codes {
		id.add(c.Scheme, c.Number, "")
	}
	for _, a := range l.Alternates {
		id.add(part.MPN, a.MPN, a.Manufacturer)
	}
	meant := l.MPN
	if len(l.Joined) > 0 {
		meant = l.Joined[0]
	}
	if n, known := passive.Read(meant); known {
		id.Spec, id.HasSpec = n.Spec, true
	}
	if mpn.Key(l.MPN) == "" && mpn.Looks(strings.TrimSpace(l.Value)) && !quantity(l.Value) {
		id.Value = strings.TrimSpace(l.Value)
	}
	return id
}

// molexDigits is how long Molex's numbers are; they begin with zeros.
const molexDigits = 10

// molexForms are the ways in which Molex's numbers are printed beside the long one:
// 22-23-2021 is 0022232021, and 53261-0471 is 0532610471.
var molexForms = regexp.MustCompile(`^(?:0*([0-9]{2}-[0-9]{2}-[0-9]{4})|0*([0-9]{5}-[0-9]{4})|([0-9]{7,10}))$`)

// molex gives the other ways to write a number of Molex's; a spreadsheet took the zeros
// off some. Without a maker only what has hyphens in their places is one.
func molex(number, manufacturer string) []string {
	m := molexForms.FindStringSubmatch(strings.TrimSpace(number))
	if m == nil || manufacturer == "" && m[3] != "" || manufacturer != "" && !maker.Same(manufacturer, "Molex") {
		return nil
	}
	n := strings.ReplaceAll(m[1]+m[2]+m[3], "-", "")
	n = strings.Repeat("0", max(0, molexDigits-len(n))) + n
	out := []string{n}
	switch short := strings.TrimLeft(n, "0"); len(short) {
	case 8:
		out = append(out, short[:2]+"-"+short[2:4]+"-"+short[4:])
	case 9:
		out = append(out, short[:5]+"-"+short[5:])
	}
	return slices.DeleteFunc(out, func(n string) bool { return mpn.Same(n, number) })
}

func (id *Identity) add(s part.Scheme, number, manufacturer string) {
	if q := (part.Query{Scheme: s, Number: number, Manufacturer: manufacturer}); mpn.Key(number) != "" {
		id.Queries = append(id.Queries, q)
	}
}

func identifyByValue(spec passive.Spec, on Rail) Identity {
	open := spec.Kind == passive.Capacitor && spec.Voltage == 0
	full, assumed := spec.Assume()
	if open && on.Millivolts > 0 {
		spec.Voltage = max(derating*on.Millivolts, full.Voltage)
		full, assumed = spec.Assume()
		assumed = append(assumed, "at least "+full.VoltageText()+", for the "+passive.Spec{Voltage: on.Millivolts}.VoltageText()+" of net "+on.Net)
	}
	id := Identity{Certainty: Passive, Spec: full, HasSpec: true, Assumed: assumed}
	id.OpenVoltage = spec.Kind == passive.Capacitor && spec.Voltage == 0 && !passive.UsualVoltage(spec.Value)
	if spec.Size == "" {
		return Identity{Certainty: None, Spec: full, HasSpec: true, Why: WhyNoSize}
	}
	numbers := passive.Number(spec)
	if id.OpenVoltage {
		stated := spec
		stated.Voltage = full.Voltage // which is said by itself
		_, id.Assumed = stated.Assume()
		id.Spec.Voltage = 0
		numbers = passive.Ladder(spec)
	}
	for _, n := range numbers {
		id.add(part.MPN, n.MPN, n.Manufacturer)
	}
	if len(id.Queries) == 0 {
		return Identity{Certainty: None, Spec: full, HasSpec: true, Why: WhyNoSeries}
	}
	return id
}

// numberAndPackage is a number with its package behind it: BAT54S/SOT23, LM358DR (SOIC-8).
var numberAndPackage = regexp.MustCompile(`^([A-Za-z0-9.+-]{4,40})(?:\s*/\s*|\s*\(\s*|,\s+|\s+)([A-Za-z][A-Za-z0-9-]{2,15})\s*\)?$`)

// numberWithPackage is the number before a package in a value; "" where it has none.
func numberWithPackage(value string) string {
	m := numberAndPackage.FindStringSubmatch(value)
	if m == nil || !mpn.Looks(m[1]) || casecode.Parse(m[2]).Family == "" {
		return ""
	}
	return m[1]
}

func guess(l *bom.Line) Identity {
	value := strings.TrimSpace(l.Value)
	switch {
	case mpn.Looks(value):
		id := Identity{Certainty: Guessed, Numbers: bom.NumbersOfSeveral(value)}
		for _, n := range bom.Numbers(value) {
			id.add(part.MPN, n, l.Manufacturer)
		}
		id.add(part.MPN, numberWithPackage(value), l.Manufacturer)
		for _, n := range molex(value, l.Manufacturer) {
			id.add(part.MPN, n, "Molex")
		}
		return id
	case numberWithPackage(value) != "":
		id := Identity{Certainty: Guessed}
		id.add(part.MPN, numberWithPackage(value), l.Manufacturer)
		return id
	case len(bom.Numbers(value)) > 1:
		id := Identity{Certainty: Guessed, Numbers: bom.NumbersOfSeveral(value)}
		for _, n := range bom.Numbers(value) {
			id.add(part.MPN, n, l.Manufacturer)
		}
		return id
	case value == "" && l.Description == "":
		return Identity{Certainty: None, Why: WhyNothing}
	}
	return Identity{Certainty: None, Why: WhyNoValue}
}
