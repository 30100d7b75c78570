package bom

import (
	"regexp"
	"strings"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/fitting"
	"boardorder/services/part-sourcing/internal/maker"
	"boardorder/services/part-sourcing/internal/table"
)

// notNumber are what people write where there is no part number.
var notNumber = set("na none tbd any generic various nc misc dnp dnf dni std standard unknown notapplicable " +
	"res resistor cap capacitor ind inductor ferrite bead diode led transistor crystal connector header fuse switch jumper")

// unfilled are values of places that stay empty.
var unfilled = set("open empty leer vide vacío vacio vuoto")

// longFabCode and shortFabCode are codes of the fabricator's library. No manufacturer's
// number has the form of the first; of the second are transistors, too: C945, C5551.
var (
	longFabCode  = regexp.MustCompile(`^[Cc][0-9]{5,9}$`)
	shortFabCode = regexp.MustCompile(`^[Cc][0-9]{3,4}$`)
)

func isFabCode(cell string) bool {
	return longFabCode.MatchString(cell) || shortFabCode.MatchString(cell)
}

// codeAsNumber reports whether the line's part number is a code of the fabricator's
// library: a short one, where its place is for a part that is no transistor.
func (l *Line) codeAsNumber() bool {
	number := strings.TrimSpace(l.MPN)
	if l.FabCode != "" || !shortFabCode.MatchString(number) {
		return l.FabCode == "" && longFabCode.MatchString(number)
	}
	place := passive.Line{Value: l.Value, Footprint: l.Footprint, Description: l.Description}
	if len(l.Refs) > 0 {
		place.Ref = l.Refs[0]
	}
	return l.Manufacturer == "" && passive.KindOf(place) != ""
}

// Tidy moves what stands in the wrong place: a do-not-fit mark in the value, a
// manufacturer before the number, a part number as comment, the fabricator's code among
// the manufacturers' numbers.
func (l *Line) Tidy() {
	l.takeStyle(&l.Value)
	l.takeStyle(&l.MPN)
	if fitting.ContainsDenial(l.Value) || fitting.EndsInDenial(l.Value) || fitting.IsDenied(l.Value) || unfilled[table.Plain(l.Value)] {
		l.DNP = true
	}
	l.namesValue()
	switch w := table.Plain(l.MPN); {
	case fitting.IsDenied(l.MPN):
		l.DNP, l.MPN = true, ""
	case w == "" || notNumber[w]:
		l.MPN = ""
	case l.codeAsNumber():
		l.FabCode, l.MPN = fabCodeIn(l.MPN), ""
	}
	if l.MPN == "" {
		l.takeValueNumber()
	}
	if before := l.Manufacturer + " "; before != " " && len(l.MPN) > len(before) && strings.EqualFold(l.MPN[:len(before)], before) {
		l.MPN = strings.TrimSpace(l.MPN[len(before):])
	}
}

var (
	// optionalWord is at the end of a value that may be left off: "10k optional", "LM358 (opt.)".
	optionalWord = regexp.MustCompile(`(?i)^(.*?[^\s,;/(\[-])[\s,;/(\[-]+(?:is )?(?:optional(?:ly)?|opt\.?|optionnel|opcional|opzionale|可选|可選)[)\]]?$`)
	// styleWord is at the end of what names a part for its kind: "BAT54S-style", "LM358 or similar".
	styleWord = regexp.MustCompile(`(?i)^(.*?[^\s,;/(\[-])(?:[\s,;/(\[_-]+(?:style|type|like|alike|or (?:a )?(?:similar|equivalent|equiv\.?|equal|like|compatible)(?: part| type)?|equivalent|equiv\.?|similar|compatible|oder (?:gleichwertig|ähnlich|vergleichbar)|ou équivalent|o equivalente|o similar)|或同等|或等效|或类似)[)\]]?$`)
)

// takeStyle takes the words off the end of a value or number that say how binding it is.
func (l *Line) takeStyle(text *string) {
	if len(*text) > longestStyled {
		return
	}
	if m := optionalWord.FindStringSubmatch(*text); m != nil {
		*text, l.Optional, l.DNP = m[1], true, true
	}
	if m := styleWord.FindStringSubmatch(*text); m != nil && strings.ContainsAny(m[1], "0123456789") {
		*text, l.Open = m[1], true
	}
}

// longestStyled is longer than any value that such words stand behind.
const longestStyled = 200

// bareNumber is a value whose unit stands elsewhere, and valueUnit such a unit; "pcs" is none.
var (
	bareNumber = regexp.MustCompile(`^[0-9]+(?:[.,][0-9]+)?$`)
	valueUnit  = regexp.MustCompile(`^(?:[pnuµμmkKMG]?(?:[oO]hms?|OHMS?|Ω|Ω|F|H|R)|[pnuµμkKM])$`)
)

// measure puts the unit behind a value that has none.
func (l *Line) measure(unit string) {
	if bareNumber.MatchString(l.Value) && valueUnit.MatchString(unit) {
		l.Value += " " + unit
	}
}

// namesValue moves a specification that stands where a number is due: "any 10k 0603 1%".
func (l *Line) namesValue() {
	if l.Value != "" || !strings.Contains(strings.TrimSpace(l.MPN), " ") {
		return
	}
	place := passive.Line{Value: l.MPN, Footprint: l.Footprint, Description: l.Description}
	if len(l.Refs) > 0 {
		place.Ref = l.Refs[0]
	}
	if s, unread, ok := passive.Words(place); ok && s.Size != "" && len(unread.Value) == 0 {
		l.Value, l.MPN = l.MPN, ""
	}
}

// makerPrefix is how some libraries write comments: Yageo_RC0402FR-0710KL.
var makerPrefix = regexp.MustCompile(`^([A-Z][A-Za-z.&, -]{1,40})_([A-Za-z0-9][A-Za-z0-9./+-]{3,40})$`)

func (l *Line) takeValueNumber() {
	m := makerPrefix.FindStringSubmatch(l.Value)
	if m == nil {
		return
	}
	if _, ok := maker.UsualName(m[1]); !ok {
		return
	}
	if l.Manufacturer == "" {
		l.Manufacturer = m[1]
	}
	l.MPN = m[2]
}

// splitMaker parts "YAGEO CC0402KRX7R7BB104" at its last space.
func splitMaker(cell string) (maker, number string) {
	i := strings.LastIndexByte(cell, ' ')
	if i < 0 {
		return "", cell
	}
	return strings.TrimSpace(cell[:i]), cell[i+1:]
}
