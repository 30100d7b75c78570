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
	statedTg = regexp.MustCompile(`(?i)\btg[^0-9a-z]*(\d{3})\b`)
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
		n, _ := strconv.Atoi(m[1])
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
