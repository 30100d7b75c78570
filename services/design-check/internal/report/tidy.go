package report

import (
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/untrusted"
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
	f.What, f.Layer, f.File = untrusted.Strip(f.What, maxWhat), untrusted.Strip(f.Layer, maxName), untrusted.Strip(f.File, 2*maxName)
	places := make([]designchecks.Place, len(f.Places))
	for i, p := range f.Places {
		places[i] = tidyPlace(p)
	}
	if f.Places != nil {
		f.Places = places
	}
	return f
}

func tidyPlace(p designchecks.Place) designchecks.Place {
	p.Layer, p.Objects, p.Nets = untrusted.Strip(p.Layer, maxName), stripAll(p.Objects), stripAll(p.Nets)
	return p
}

// Words are what a report says of a finding.
func Words(f dfm.Finding) string { return untrusted.Strip(f.What, maxWhat) }

func stripAll(in []string) []string {
	var out []string
	for _, s := range in {
		out = append(out, untrusted.Strip(s, maxName))
	}
	return out
}
