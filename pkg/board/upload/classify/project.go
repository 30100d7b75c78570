package classify

import (
	"bytes"
	"slices"
	"strconv"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/sources"
)

var kicadLayer = pattern.Lazy(`\(\s*(\d{1,2})\s+"?([^"\s()]+)"?\s+(?:signal|power|mixed|jumper)\b`)

// projects lets a KiCad board beside the artwork name its copper layers: old
// versions plot them under names of the user's own.
func (s *Set) projects() {
	for _, p := range s.Results {
		if p.Format != sources.KiCadPCB {
			continue
		}
		for i, name := range kicadCopper(p.file.Data) {
			s.addLayerEvidence(splitWords(name), i+1, "layer "+name+" of "+p.base)
		}
	}
}

// kicadCopper lists the copper layers of a .kicad_pcb, top first. Before KiCad
// 4 they counted down from 15, the top, to 0.
func kicadCopper(data []byte) []string {
	head := data[:min(len(data), scanLimit)]
	i := bytes.Index(head, []byte("(layers"))
	if i < 0 {
		return nil
	}
	head = head[i:min(len(head), i+8192)]
	type layer struct {
		number int
		name   string
	}
	var layers []layer
	old := false
	for _, m := range kicadLayer().FindAllSubmatch(head, 64) {
		n, _ := strconv.Atoi(string(m[1]))
		layers = append(layers, layer{n, string(m[2])})
		old = old || n == 15 && string(m[2]) == "F.Cu"
	}
	if old {
		slices.SortFunc(layers, func(a, b layer) int { return b.number - a.number })
	}
	var out []string
	for _, l := range layers {
		out = append(out, l.name)
	}
	return out
}

// addLayerEvidence speaks for inner copper whose name is that of a project's layer.
func (s *Set) addLayerEvidence(words []string, order int, why string) {
	for _, r := range s.Results {
		if r.Format == FormatGerber && len(words) > 0 && slices.Equal(r.words, words) {
			r.Evidence = append(r.Evidence, Evidence{Role: pcb.RoleCopper, Order: order, Weight: weightReport, Why: why})
		}
	}
}
