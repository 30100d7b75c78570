package report

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract/designchecks"
)

// Bounds of words from files, in characters.
const (
	maxWhat = 800
	maxName = 120
)

// tidy makes the words of a finding harmless that come from files: no control
// characters, none that turn the direction of writing or hide, and not too many.
func tidy(f designchecks.Finding) designchecks.Finding {
	f.What, f.Layer, f.File = plain(f.What, maxWhat), plain(f.Layer, maxName), plain(f.File, 2*maxName)
	places := make([]designchecks.Place, len(f.Places))
	for i, p := range f.Places {
		p.Layer, p.Objects, p.Nets = plain(p.Layer, maxName), plains(p.Objects), plains(p.Nets)
		places[i] = p
	}
	if f.Places != nil {
		f.Places = places
	}
	return f
}

// Words are what a report says of a finding.
func Words(f dfm.Finding) string { return plain(f.What, maxWhat) }

func plains(in []string) []string {
	var out []string
	for _, s := range in {
		out = append(out, plain(s, maxName))
	}
	return out
}

func plain(s string, most int) string {
	odd := func(r rune) bool {
		return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co) || r == unicode.ReplacementChar
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, odd) {
		s = strings.Map(func(r rune) rune {
			if odd(r) {
				return -1
			}
			return r
		}, s)
	}
	return truncate(s, most)
}
