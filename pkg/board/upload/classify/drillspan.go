package classify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// A statedPair is the span of a drill file in the words of a report, which names layers.
type statedPair struct {
	report.Span
	source string // the report
}

// An OpenSpan is a span of blind, buried or micro vias that a report states, and that is
// known of no drill file.
type OpenSpan struct {
	Source string // the report
	Span   string // as it states it
}

// drillReport lets an Altium drill report say which layers the files that it names join.
func (s *Set) drillReport(rep *Result) {
	for _, span := range report.Spans(rep.file.Data) {
		s.pairDrills(rep, span)
	}
}

// pairDrills notes a span with the drill files that a report names for it.
func (s *Set) pairDrills(rep *Result, span report.Span) {
	for _, r := range s.archiveArtwork(rep) {
		if r.Format == FormatExcellon && slices.Contains(span.Files, strings.ToLower(r.base)) {
			r.pair = &statedPair{span, rep.base}
		}
	}
}

// pairSpans gives drill files the spans that reports state by the names of layers, once the
// copper is in order. What it cannot place is kept as an open span.
func (s *Set) pairSpans(g *Group, files []*Result) {
	for _, r := range files {
		if r.pair == nil || r.Role != pcb.RoleDrill || statesSpan(r) {
			continue
		}
		message := fmt.Sprintf("%s : %s to %s", r.pair.Kind, r.pair.From, r.pair.To)
		from, to := findLayer(files, r.pair.From, g.Layers), findLayer(files, r.pair.To, g.Layers)
		if from, to = min(from, to), max(from, to); from < 1 || from == to || to > g.Layers {
			g.OpenSpans = append(g.OpenSpans, OpenSpan{r.pair.source, message})
			continue
		}
		r.giveSpan(from, to, strconv.Quote(r.pair.source)+" says "+strconv.Quote(message))
	}
	s.loosePairs(g, files)
}

func (r *Result) giveSpan(from, to int, why string) {
	r.FromLayer, r.ToLayer = from, to
	r.Evidence = append(r.Evidence, Evidence{Role: pcb.RoleDrill, From: from, To: to, Weight: weightReport, Why: why})
	r.Why += "; " + why
}

// loosePairs looks for the drill files of layer pairs that name none: the only one without a
// span has that of the only pair that no file has.
func (s *Set) loosePairs(g *Group, files []*Result) {
	var open []looseSpan
	for _, p := range s.loose {
		from, to := p.span(files, g.Layers)
		if p.of != files[0].Archive() || from == 1 && to == g.Layers || from > 0 && slices.ContainsFunc(files, func(r *Result) bool {
			return r.Role == pcb.RoleDrill && r.FromLayer == from && r.ToLayer == to
		}) {
			continue
		}
		open = append(open, looseSpan{p, from, to})
	}
	var free []*Result
	for _, r := range files {
		if r.Role == pcb.RoleDrill && r.Format == FormatExcellon && r.ToLayer == 0 && r.Plating != pcb.NonPlated {
			free = append(free, r)
		}
	}
	if len(open) == 1 && len(free) == 1 && open[0].from > 0 {
		free[0].giveSpan(open[0].from, open[0].to, "layer pair in "+strconv.Quote(open[0].source))
		return
	}
	for _, p := range open {
		g.OpenSpans = append(g.OpenSpans, OpenSpan{p.source, p.Name})
	}
}

// A loosePair is a pair of a layer pair export that names no drill file of the upload.
type loosePair struct {
	report.LayerPair
	source, of string // the report, and the archive that it lies in
}

type looseSpan struct {
	loosePair
	from, to int
}

// span is the first and the last layer of a pair; 0 where files do not tell.
func (p *loosePair) span(files []*Result, layers int) (from, to int) {
	ends := p.Layers
	switch {
	case len(ends) > 0:
	case p.From != "":
		ends = []string{p.From, p.To}
	default: // L2_L7_Buried_Vias
		ends = strings.SplitN(p.Name, "_", 3)[:2]
	}
	from, to = findLayer(files, ends[0], layers), findLayer(files, ends[len(ends)-1], layers)
	if from, to = min(from, to), max(from, to); from < 1 || from == to {
		return 0, 0
	}
	return from, to
}

// findLayer is the number of the copper layer that Altium calls so: by its extension, by the
// report of the extensions, by a number, by a side, or as it calls inner layers by itself; 0
// for none.
func findLayer(files []*Result, name string, layers int) int {
	words := splitWords(name)
	n, absolute := layerNumber(words)
	ext := "g" + strconv.Itoa(n)
	if hasWord(words, "plane") {
		ext = "gp" + strconv.Itoa(n)
	}
	for _, r := range files {
		if r.Role == pcb.RoleCopper && (strings.EqualFold(r.ext, name) || strings.EqualFold(r.extDesc, name)) {
			return r.Layer
		}
	}
	if absolute {
		return n
	}
	if w, ok := wordsEvidence(words, ""); ok && w.Side == pcb.Top {
		return 1
	} else if ok && w.Side == pcb.Bottom {
		return layers
	}
	for _, r := range files {
		if n > 0 && r.Role == pcb.RoleCopper && r.ext == ext {
			return r.Layer
		}
	}
	return 0
}
