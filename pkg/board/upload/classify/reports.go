package classify

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// reports lets Altium's reports speak for the files they were written with.
func (s *Set) reports() {
	for _, r := range s.Results {
		switch r.Format {
		case FormatExtRep:
			s.extensionReport(r, report.Extensions(r.file.Data))
		case FormatLayerPairs:
			s.layerPairs(r, report.LayerPairs(r.file.Data))
		case FormatDrillRep:
			s.drillReport(r)
		}
	}
	for _, r := range s.Results {
		if r.Format == FormatReport {
			s.plotReport(r, report.PlotLayers(r.file.Data))
		}
	}
}

// plotReport lets the report of a plot speak for the files that it names, where the
// report of extensions does not: all of them may be called .gbr.
func (s *Set) plotReport(rep *Result, layers map[string]string) {
	for _, r := range s.Results {
		desc := layers[strings.ToLower(r.base)]
		if desc != "" && r.dir == rep.dir && r.Format == FormatGerber && r.extDesc == "" {
			r.addDescription(desc, rep.base)
		}
	}
}

// archiveArtwork gives the artwork of a file's archive.
func (s *Set) archiveArtwork(r *Result) []*Result {
	var out []*Result
	for _, a := range s.Results {
		if a.artwork() && a.Archive() == r.Archive() {
			out = append(out, a)
		}
	}
	return out
}

// reportArtwork gives the artwork a report was written with: that of the same name in
// the same archive, or all of the archive's when none has its name.
func (s *Set) reportArtwork(r *Result) []*Result {
	all := s.archiveArtwork(r)
	var same []*Result
	for _, a := range all {
		if strings.HasPrefix(strings.ToLower(a.stem), strings.ToLower(r.stem)) {
			same = append(same, a)
		}
	}
	if len(same) > 1 {
		return same
	}
	return all
}

func (s *Set) extensionReport(rep *Result, layers map[string]string) {
	for _, r := range s.reportArtwork(rep) {
		if desc, ok := layers[r.ext]; ok && r.Format == FormatGerber {
			r.addDescription(desc, rep.base)
		}
	}
}

// addDescription adds what Altium's report of a plot calls the layer. People rename layers, and
// swap their names; the extension is the layer's own, so that it says the side.
func (r *Result) addDescription(desc, report string) {
	r.extDesc = desc
	w, ok := descriptionEvidence(desc, report+" calls it "+untrusted.Mention(desc))
	if !ok {
		return
	}
	w.Weight = weightReport
	if (w.Role == pcb.RoleMechanical || w.Role == pcb.RoleKeepOut || strings.EqualFold(desc, multiLayer)) && len(r.Evidence) > 0 {
		return // Protel users draw outlines there: the name says nothing
	}
	if own := extensions[r.ext]; own.Role == w.Role && opposite(own.Side, w.Side) {
		r.Doubt = fmt.Sprintf("%s calls it %q, while the extension .%s is that of the %s, which was taken", report, desc, r.rawExt, own.Side)
		return
	}
	if w.Role == pcb.RoleCopper && w.Side == pcb.Inner && w.Rank > 0 {
		w.Order = 0
	}
	r.Evidence = append(r.Evidence, w)
}

func opposite(a, b pcb.Side) bool {
	return a == pcb.Top && b == pcb.Bottom || a == pcb.Bottom && b == pcb.Top
}

// multiLayer is how Altium calls the lands of holes, which are on every layer.
const multiLayer = "Multi-Layer"

// descriptionEvidence is what Altium's name of a layer says. Whatever stack a mask is of,
// its name ends in Solder; and what is only said to be on top, "3D Top", need not
// be copper.
func descriptionEvidence(desc, why string) (Evidence, bool) {
	words := splitWords(desc)
	if strings.EqualFold(desc, multiLayer) {
		return Evidence{Role: pcb.RoleOther, Why: why}, true
	}
	if n := len(words); n > 1 && words[n-1] == "solder" {
		words[n-1] = "soldermask"
	}
	w, ok := wordsEvidence(words, why)
	if _, rest := recogniseWords(joinWords(words)); w.Role == pcb.RoleCopper && w.Weight < weightName && len(rest) > 0 {
		return w, false
	}
	return w, ok
}

func (s *Set) layerPairs(rep *Result, pairs []report.LayerPair) {
	var all []string // the layers of the pair that passes them all
	for i, p := range pairs {
		if len(p.Layers) == 0 && p.From != "" && !s.hasInner(rep) {
			p.Layers = []string{p.From, p.To}
			pairs[i] = p
		}
		if len(p.Layers) > len(all) {
			all = p.Layers
		}
	}
	for _, p := range pairs {
		if !slices.ContainsFunc(s.archiveArtwork(rep), func(r *Result) bool { return r.Format == FormatExcellon && strings.EqualFold(r.base, p.DrillFile) }) {
			if report.IsPartial(p.Name) || len(p.Layers) < len(all) || endsInside(p) {
				s.loose = append(s.loose, loosePair{p, rep.base, rep.Archive()})
			}
			continue
		}
		if len(p.Layers) == 0 {
			if endsInside(p) {
				s.pairDrills(rep, report.Span{Kind: p.Name, From: p.From, To: p.To, Files: []string{p.DrillFile}})
			}
			continue
		}
		from, to := 1+slices.Index(all, p.Layers[0]), 1+slices.Index(all, p.Layers[len(p.Layers)-1])
		for _, r := range s.archiveArtwork(rep) {
			if r.Format == FormatExcellon && strings.EqualFold(r.base, p.DrillFile) && from > 0 && to > from {
				r.Evidence = append(r.Evidence, Evidence{Role: pcb.RoleDrill, From: from, To: to, Weight: weightReport, Why: "layer pair in " + strconv.Quote(rep.base)})
			}
		}
	}
	for _, r := range s.reportArtwork(rep) {
		i := slices.Index(all, r.ext)
		if i < 0 || r.Format != FormatGerber {
			continue
		}
		w := Evidence{Role: pcb.RoleCopper, Side: pcb.Inner, Order: i + 1, Weight: weightReport, Why: "layer order in " + strconv.Quote(rep.base)}
		if i == 0 {
			w.Side = pcb.Top
		} else if i == len(all)-1 {
			w.Side = pcb.Bottom
		}
		r.Evidence = append(r.Evidence, w)
	}
}

// endsInside tells whether a pair that names its first and its last copper file alone ends at
// an inner layer.
func endsInside(p report.LayerPair) bool {
	return slices.ContainsFunc([]string{p.From, p.To}, func(ext string) bool {
		w, ok := extensionEvidence(ext)
		return ok && w.Side == pcb.Inner
	})
}

// hasInner tells whether a file beside another is an inner copper layer by its extension.
// Beside a report that is packed with the drills alone lie the films of all archives.
func (s *Set) hasInner(rep *Result) bool {
	isFilm := func(r *Result) bool { return r.Format == FormatGerber }
	layerFiles := s.reportArtwork(rep)
	if !slices.ContainsFunc(s.archiveArtwork(rep), isFilm) {
		layerFiles = s.Results
	}
	return slices.ContainsFunc(layerFiles, func(r *Result) bool {
		w, ok := extensionEvidence(r.ext)
		return ok && isFilm(r) && w.Role == pcb.RoleCopper && w.Side == pcb.Inner
	})
}

// jobs lets job files speak for the files they list.
func (s *Set) jobs() {
	for i, j := range s.Results {
		if j.Format != FormatJob {
			continue
		}
		job := gbrjob.Read(j.file.Data)
		s.Jobs[i] = job
		for _, f := range job.Files {
			w, ok := Function(f.Function)
			if !ok {
				continue
			}
			w.Weight, w.Why = weightJob, "job file "+strconv.Quote(j.base)+" lists it as "+strconv.Quote(f.Function)
			for _, r := range s.Results {
				if r.artwork() && strings.EqualFold(r.base, path.Base(strings.ReplaceAll(f.Path, "\\", "/"))) {
					r.Evidence = append(r.Evidence, w)
				}
			}
		}
	}
}
