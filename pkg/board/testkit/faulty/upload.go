package faulty

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/upload"
)

// Gerber writes the sketch as a customer would send it for fabrication.
func (s *Sketch) Gerber() []upload.File {
	files := map[string]string{}
	for n := 1; n <= s.Layers; n++ {
		w := s.sheet(true)
		w.placed = s.Placed[n]
		polarity := "Positive"
		if s.Negative[n] {
			polarity = "Negative"
			w.negative(n)
		} else if !s.EmptyLayer[copperFile(n, s.Layers)] {
			w.copper(n)
		}
		side := map[bool]string{true: "Inr"}[n > 1 && n < s.Layers]
		if n == 1 {
			side = "Top"
		} else if n == s.Layers {
			side = "Bot"
		}
		files[copperFile(n, s.Layers)] = w.file(fmt.Sprintf("Copper,L%d,%s", n, side), polarity)
	}
	for _, bottom := range []bool{false, true} {
		letter, side := "F", "Top"
		if bottom {
			letter, side = "B", "Bot"
		}
		s.layerFile(files, letter+"_Mask", "Soldermask,"+side, "Negative", func(w *sheet) { w.mask(bottom) })
		s.layerFile(files, letter+"_Paste", "Paste,"+side, "Positive", func(w *sheet) { w.paste(bottom) })
		s.layerFile(files, letter+"_Silkscreen", "Legend,"+side, "Positive", func(w *sheet) { w.silkscreen(bottom) })
	}
	if !s.NoOutline {
		s.layerFile(files, "Edge_Cuts", "Profile,NP", "Positive", func(w *sheet) { w.profile() })
	}
	if len(s.Scores) > 0 { // as tools without a word for it in their attributes name it
		w := s.sheet(false)
		for _, k := range s.Scores {
			w.stroke(100*um, "", k)
		}
		files["demo-V_Cut.gbr"] = w.file("Other,User", "Positive")
	}
	s.drills(files)
	if !s.NoNets {
		files["demo.d356"] = s.netlist()
	}
	files["demo-job.gbrjob"] = s.job()
	for name, text := range s.Extra {
		files[name] = text
	}
	return s.pack(files)
}

// layerFile adds a file of another layer than copper.
func (s *Sketch) layerFile(files map[string]string, name, function, polarity string, draw func(*sheet)) {
	w := s.sheet(false)
	name = "demo-" + name + ".gbr"
	if !s.EmptyLayer[name] {
		draw(w)
	}
	files[name] = w.file(function, polarity)
}

func (s *Sketch) drills(files map[string]string) {
	for span, hits := range s.spans() {
		name, kind := "demo-PTH.drl", "PTH"
		if span != [2]int{1, s.Layers} {
			name = fmt.Sprintf("demo-L%d-L%d.drl", span[0], span[1])
			kind = "Buried"
			if span[0] == 1 || span[1] == s.Layers {
				kind = "Blind"
			}
		}
		files[name] = excellon(hits, fmt.Sprintf("Plated,%d,%d,%s", span[0], span[1], kind))
	}
	files["demo-NPTH.drl"] = excellon(s.bare(), fmt.Sprintf("NonPlated,1,%d,NPTH", s.Layers))
}

func copperFile(n, layers int) string {
	switch n {
	case 1:
		return "demo-F_Cu.gbr"
	case layers:
		return "demo-B_Cu.gbr"
	}
	return fmt.Sprintf("demo-In%d_Cu.gbr", n-1)
}

// pack puts files in order of name, without those that are to be missing.
func (s *Sketch) pack(files map[string]string) []upload.File {
	var out []upload.File
	for name, text := range files {
		if s.Drop[name] {
			continue
		}
		if name == s.Cut {
			text = strings.TrimRight(text, "\n")
			text = text[:len(text)-1]
		}
		out = append(out, upload.File{Name: name, Data: []byte(text)})
	}
	slices.SortFunc(out, func(a, b upload.File) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return out
}

// job writes what the job file says of the board as a whole.
func (s *Sketch) job() string {
	b := geom.EmptyBox()
	for _, k := range s.Outline[0] {
		b = b.Union(geom.BoxOf(k.A, k.B))
	}
	return fmt.Sprintf(`{"Header": {"GenerationSoftware": {"Vendor": "Faulty", "Application": "Faulty", "Version": "1"}},
 "GeneralSpecs": {"ProjectId": {"Name": "demo"}, "Size": {"X": %s, "Y": %s}, "LayerNumber": %d, "BoardThickness": %s}}
`, mmText(b.Width()), mmText(b.Height()), s.Layers, mmText(s.Thickness))
}
