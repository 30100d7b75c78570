package odd

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/upload"
)

// A design is a board being drawn, in millimetres. Layers are named "F", "B", "In1"…,
// "FM" and "BM" for masks, "Edge" and "V" for outline and V-scores.
type design struct {
	layers map[string]*sheet
	order  []string
	copper int
	tools  map[string][]string // hits by plating and diameter
	unsaid bool                // the drill files do not state what is plated
}

// A sheet is one Gerber file being written.
type sheet struct {
	apertures []string
	body      strings.Builder
}

// blank is an empty rectangle with so many copper layers.
func blank(w, h float64, copper int) *design {
	d := &design{layers: map[string]*sheet{}, copper: copper, tools: map[string][]string{}}
	d.rect("Edge", "C,0.05", 0, 0, w, h)
	d.sheetOf("F")
	for i := 1; i < copper-1; i++ {
		d.sheetOf(fmt.Sprintf("In%d", i))
	}
	if copper > 1 {
		d.sheetOf("B")
		d.sheetOf("BM")
	}
	d.sheetOf("FM")
	return d
}

func (d *design) sheetOf(layer string) *sheet {
	s := d.layers[layer]
	if s == nil {
		s = &sheet{}
		d.layers[layer] = s
		d.order = append(d.order, layer)
	}
	return s
}

// use selects an aperture by its definition, such as "C,0.5".
func (s *sheet) use(aperture string) {
	k := 0
	for k < len(s.apertures) && s.apertures[k] != aperture {
		k++
	}
	if k == len(s.apertures) {
		s.apertures = append(s.apertures, aperture)
	}
	fmt.Fprintf(&s.body, "D%d*\n", 10+k)
}

func xy(x, y float64) string { return fmt.Sprintf("X%dY%d", int64(x*1e6+0.5), int64(y*1e6+0.5)) }

func (d *design) flash(layer, aperture string, x, y float64) {
	s := d.sheetOf(layer)
	s.use(aperture)
	fmt.Fprintf(&s.body, "%sD03*\n", xy(x, y))
}

// line draws through points.
func (d *design) line(layer, aperture string, points ...float64) {
	s := d.sheetOf(layer)
	s.use(aperture)
	for i := 0; i+1 < len(points); i += 2 {
		fmt.Fprintf(&s.body, "%sD0%d*\n", xy(points[i], points[i+1]), min(2, 2-min(i, 1)))
	}
}

func (d *design) rect(layer, aperture string, x0, y0, x1, y1 float64) {
	d.line(layer, aperture, x0, y0, x1, y0, x1, y1, x0, y1, x0, y0)
}

// circle draws a full circle.
func (d *design) circle(layer, aperture string, x, y, r float64) {
	s := d.sheetOf(layer)
	s.use(aperture)
	fmt.Fprintf(&s.body, "G75*\n%sD02*\nG03%sI%dJ0D01*\nG01*\n", xy(x+r, y), xy(x+r, y), int64(-r*1e6))
}

func (d *design) area(layer string, points ...float64) {
	s := d.sheetOf(layer)
	s.body.WriteString("G36*\n")
	for i := 0; i+1 < len(points); i += 2 {
		fmt.Fprintf(&s.body, "%sD0%d*\n", xy(points[i], points[i+1]), min(2, 2-min(i, 1)))
	}
	fmt.Fprintf(&s.body, "%sD01*\nG37*\n", xy(points[0], points[1]))
}

func (d *design) box(layer string, x0, y0, x1, y1 float64) {
	d.area(layer, x0, y0, x1, y0, x1, y1, x0, y1)
}

// erase draws with clear polarity.
func (d *design) erase(layer string, draw func()) {
	d.sheetOf(layer).body.WriteString("%LPC*%\n")
	draw()
	d.sheetOf(layer).body.WriteString("%LPD*%\n")
}

// pad is copper with an opening in the mask that is 0.05 mm larger on every side.
func (d *design) pad(side string, x, y, w, h float64) {
	d.flash(side, fmt.Sprintf("R,%gX%g", w, h), x, y)
	d.flash(side+"M", fmt.Sprintf("R,%gX%g", w+0.1, h+0.1), x, y)
}

// drill makes a hole; a second place makes it a slot.
func (d *design) drill(plated bool, diameter float64, at ...float64) {
	key := fmt.Sprintf("%t %.3f", plated, diameter)
	hit := fmt.Sprintf("X%.3fY%.3f", at[0], at[1])
	if len(at) == 4 {
		hit += fmt.Sprintf("G85X%.3fY%.3f", at[2], at[3])
	}
	d.tools[key] = append(d.tools[key], hit)
}

// hole is a plated hole with lands on every copper layer, open on the outer ones.
func (d *design) hole(x, y, diameter, land float64) {
	d.addVia(x, y, diameter, land)
	for _, m := range []string{"FM", "BM"} {
		d.flash(m, fmt.Sprintf("C,%g", land+0.1), x, y)
	}
}

func (d *design) addVia(x, y, diameter, land float64) {
	for _, l := range d.names() {
		d.flash(l, fmt.Sprintf("C,%g", land), x, y)
	}
	d.drill(true, diameter, x, y)
}

// names are those of the copper layers.
func (d *design) names() []string {
	out := []string{"F"}
	for i := 1; i < d.copper-1; i++ {
		out = append(out, fmt.Sprintf("In%d", i))
	}
	if d.copper > 1 {
		out = append(out, "B")
	}
	return out
}

// function states what a layer is for, as Gerber X2 does.
func (d *design) function(layer string) string {
	side := map[byte]string{'F': "Top", 'B': "Bot"}[layer[0]]
	switch {
	case layer == "Edge":
		return "Profile,NP"
	case layer == "V":
		return "Vcut"
	case strings.HasSuffix(layer, "M"):
		return "Soldermask," + side
	case strings.HasSuffix(layer, "P"):
		return "Paste," + side
	case layer == "F":
		return "Copper,L1,Top"
	case layer == "B":
		return fmt.Sprintf("Copper,L%d,Bot", d.copper)
	}
	n := 0
	_, _ = fmt.Sscanf(layer, "In%d", &n)
	return fmt.Sprintf("Copper,L%d,Inr", n+1)
}

// files are what a customer would send.
func (d *design) files() []upload.File {
	var out []upload.File
	for _, name := range d.order {
		s := d.layers[name]
		polarity := ""
		if strings.HasSuffix(name, "M") {
			polarity = "%TF.FilePolarity,Negative*%\n"
		}
		text := "%TF.FileFunction," + d.function(name) + "*%\n" + polarity + "%FSLAX46Y46*%\n%MOMM*%\nG01*\n"
		for k, a := range s.apertures {
			text += fmt.Sprintf("%%ADD%d%s*%%\n", 10+k, a)
		}
		out = append(out, upload.File{Name: "board-" + name + ".gbr", Data: []byte(text + s.body.String() + "M02*\n")})
	}
	for _, plated := range []bool{true, false} {
		if f, ok := d.drills(plated); ok {
			out = append(out, f)
		}
	}
	return out
}

func (d *design) drills(plated bool) (upload.File, bool) {
	name, what := "board-NPTH.drl", "NonPlated"
	if plated {
		name, what = "board-PTH.drl", "Plated"
	}
	head := fmt.Sprintf("M48\n; #@! TF.FileFunction,%s,1,%d,%s\nMETRIC\n", what, max(d.copper, 1), name[6:len(name)-4])
	if d.unsaid {
		name, head = strings.ReplaceAll(strings.ReplaceAll(name, "-NPTH", "-more"), "-PTH", ""), "M48\nMETRIC\n"
	}
	body, n := "%\nG90\nG05\n", 0
	for key, hits := range d.tools {
		if !strings.HasPrefix(key, fmt.Sprint(plated)+" ") {
			continue
		}
		n++
		head += fmt.Sprintf("T%dC%s\n", n, strings.Fields(key)[1])
		body += fmt.Sprintf("T%d\n%s\n", n, strings.Join(hits, "\n"))
	}
	return upload.File{Name: name, Data: []byte(head + body + "M30\n")}, n > 0
}
