package catalog

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	fr4      = regexp.MustCompile(`(?i)\bfr[- _]?4([^0-9]|$)`) // not FR408
	statedTg = regexp.MustCompile(`(?i)\btg[^0-9a-z]*(\d{3})\b|\b(\d{3})[ -]*(?:°[ ]?c?[ ]*)?tg\b`)
	highTg   = regexp.MustCompile(`(?i)\bhigh[- ]?tg\b`)
	sheet    = regexp.MustCompile(`(?i)\bipc[- ]?4101[a-g]?((?:\s*[/,]\s*\d{1,3})+)`)
	digits   = regexp.MustCompile(`\d+`)
	libName  = regexp.MustCompile(`(?i)^(pp|core|cf)-?\d{3}$`) // names of Altium's material library
	wordForm = regexp.MustCompile(`[A-Za-z]+|\d+`)
)

// notFR4 are words of other laminates, and of properties that an FR-4 as priced lacks.
var notFR4 = []string{"rogers", "ro4", "ro3", "ptfe", "teflon", "polyimide", "kapton", "alumin", "copper core", "ceramic", "halogen", "megtron", "nelco", "arlon", "taconic", "cem"}

// glassStyles are the fabrics that FR-4 is woven of (IPC-4412).
var glassStyles = []string{"106", "1037", "1067", "1078", "1080", "1086", "2112", "2113", "2116", "2125", "2165", "2313", "3070", "3313", "7628", "7629"}

// besideGlass are words that go with a glass style and say nothing of the resin.
var besideGlass = []string{"pp", "prepreg", "core", "rc", "x", "mm", "mil", "um", "glass", "style", "type"}

// readLaminate finds FR-4 in longer words: by its name, a sheet of IPC-4101, a maker's
// laminate or a glass style. Which FR-4 it is its glass transition says.
func (c *Catalog) readLaminate(written string) (Meaning, bool) {
	if parts := strings.Split(written, " + "); len(parts) > 1 {
		return c.readLaminates(parts)
	}
	lower := strings.ToLower(written)
	if libName.MatchString(strings.TrimSpace(written)) {
		return Meaning{}, true
	}
	if slices.ContainsFunc(notFR4, func(w string) bool { return strings.Contains(lower, w) }) {
		return Meaning{}, false
	}
	if l, ok := c.laminateIn(written); ok {
		id := fr4Of(l.tg)
		return Meaning{Value: id, Note: fmt.Sprintf("%s is an FR-4 (Tg %d C), built and priced as %s of the fabricator's own make", l.name, l.tg, id)}, true
	}
	switch {
	case fr4.MatchString(written) || isGlass(lower):
		return Meaning{Value: fr4Of(tgOf(written))}, true
	case statedTg.MatchString(written), highTg.MatchString(written):
		return Meaning{Value: fr4Of(tgOf(written))}, true
	}
	return Meaning{}, false
}

// readLaminates finds what the sheets of one board are together: of FR-4s the one that stands
// the most heat. What is of two kinds, or has a sheet that is not known, has no one price.
func (c *Catalog) readLaminates(sheets []string) (Meaning, bool) {
	var best Meaning
	for i, s := range sheets {
		m := c.Read("material", s)
		switch {
		case m.Unknown && i > 0 && strings.HasPrefix(fold(s), fold(sheets[0])): // the prepreg of a core's name
		case m.Unknown:
			return Meaning{}, false
		case m.Unable != "", m.Value != "" && best.Value != "" && m.Value != best.Value && !(c.isFR4(m.Value) && c.isFR4(best.Value)):
			return Meaning{Unable: "a board of " + strings.Join(sheets, " and ")}, true
		case slices.Index(c.MaterialIDs(), m.Value) > slices.Index(c.MaterialIDs(), best.Value):
			best = m
		}
	}
	return best, true
}

func (c *Catalog) isFR4(material string) bool {
	m, _ := c.Material(material)
	return m.Family == "fr4"
}

// laminateIn finds the listed name that words hold, the one of the highest glass
// transition where they hold several: "IPC-4101/21/24", "Isola 370HR or IT-180A".
func (c *Catalog) laminateIn(written string) (laminate, bool) {
	var best laminate
	take := func(name string) {
		if l := c.vocabulary.laminates[fold(name)]; l.tg > best.tg {
			best = l
		}
	}
	for _, m := range sheet.FindAllStringSubmatch(written, -1) {
		for _, n := range digits.FindAllString(m[1], -1) {
			take("IPC-4101/" + n)
		}
	}
	fields := strings.FieldsFunc(written, func(r rune) bool { return strings.ContainsRune(" \t,;/()", r) })
	for i, f := range fields {
		take(f)
		if i > 0 {
			take(fields[i-1] + f) // "IT 180A"
		}
	}
	return best, best.tg > 0
}

// tgOf is the glass transition that words state; 0 where they do not.
func tgOf(written string) int {
	if m := statedTg.FindStringSubmatch(written); m != nil {
		n, _ := strconv.Atoi(m[1] + m[2]) // before or after the word
		return n
	}
	if highTg.MatchString(written) {
		return 170
	}
	return 0
}

// fr4Of is the FR-4 of a glass transition in degrees Celsius.
func fr4Of(tg int) string {
	switch {
	case tg >= 165:
		return "FR-4 / TG170"
	case tg >= 150:
		return "FR-4 / TG155"
	}
	return "FR-4"
}

// isGlass tells whether words name glass styles and nothing else.
func isGlass(lower string) bool {
	found := false
	for _, w := range wordForm.FindAllString(lower, -1) {
		_, err := strconv.Atoi(w)
		switch {
		case slices.Contains(glassStyles, w):
			found = true
		case err == nil && len(w) < 3, slices.Contains(besideGlass, w):
		default:
			return false
		}
	}
	return found
}
