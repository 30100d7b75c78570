package odb

import (
	"slices"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/outline"
)

// A step is one drawing of the job: a board, or a panel of others.
type step struct {
	name    string
	dir     string
	b       *pcb.Board
	header  File
	repeats []artwork.Repeat
	sheets  map[string]*artwork.Sheet // by layer folder
	starts  map[string][]int32        // first feature of every record, by layer folder
	holeOf  map[string][]int32        // hole of every record of drill layers, -1 for none
	routes  []geom.Path               // of rout layers
	closed  []geom.Path               // cutouts by rout layers
	edges   []geom.Edge               // drawn on a layer that looks like the outline
	parts   [2][]part                 // by side, in the order of the files
	attrs   map[string]string
	minLine int64
	profile bool
}

func (j *job) readStep(name string) *step {
	s := &step{
		name: name, dir: "steps/" + strings.ToLower(name), b: pcb.NewBoard(name),
		sheets: map[string]*artwork.Sheet{}, starts: map[string][]int32{}, holeOf: map[string][]int32{}, attrs: map[string]string{},
	}
	if f, ok := j.open(s.dir + "/stephdr"); ok {
		s.header = f
		j.readHeader(s, f)
	} else if len(j.t.folders(s.dir)) == 0 {
		j.finding(pcb.Problem, "step_missing", j.t.root+s.dir, 0, "the matrix names the step %q, but the job does not hold it", name)
		return nil
	}
	if f, ok := j.open(s.dir + "/attrlist"); ok {
		s.attrs = attributes(f.Data)
	}
	j.readProfile(s)
	for _, l := range j.layers {
		if j.ctx.Err() != nil {
			return s
		}
		j.readLayer(s, l)
	}
	j.readEDA(s)
	j.finishStep(s)
	return s
}

func attributes(data []byte) map[string]string {
	return parseRecords(data)[0].value
}

func (j *job) readHeader(s *step, f File) {
	records := parseRecords(f.Data)
	unit := unitOf(records[0].value["UNITS"], j.unit)
	length := func(v string) int64 { return nm(number([]byte(v)) * unit) }
	for _, r := range records {
		if r.kind != "STEP-REPEAT" {
			continue
		}
		v := r.value
		s.repeats = append(s.repeats, artwork.Repeat{
			Step: v["NAME"], At: geom.Pt(length(v["X"]), length(v["Y"])), DX: length(v["DX"]), DY: length(v["DY"]),
			NX: max(1, atoi(v["NX"], 1)), NY: max(1, atoi(v["NY"], 1)), Angle: -number([]byte(v["ANGLE"])),
			Mirror: strings.EqualFold(v["MIRROR"], "YES") || strings.EqualFold(v["FLIP"], "YES"),
		})
	}
}

func (j *job) readProfile(s *step) {
	f, ok := j.open(s.dir + "/profile")
	if !ok {
		return
	}
	r := featureFile{j: j, name: f.Name, unit: j.unit, take: func(x *feature) {
		for _, p := range x.areas {
			if len(p.Outer.Points) > 1 {
				s.b.Outline.Areas = append(s.b.Outline.Areas, p)
			}
		}
	}}
	r.read(f.Data)
	s.profile = len(s.b.Outline.Areas) > 0
	s.b.Outline.Closed = s.profile
	s.b.Outline.Source = pcb.Source{File: f.Name}
}

// sheet is the step's drawing of a layer.
func (j *job) sheet(s *step, l *layer, file string) *artwork.Sheet {
	if x, ok := s.sheets[l.dir]; ok {
		return x
	}
	x := artwork.NewSheet(l.name, file, l.role, l.side).SetMeter(pcb.MeterOf(pcb.FileContext(j.ctx, file)))
	x.Layer.Order, x.Layer.Negative = l.order, l.negative && l.role == pcb.RoleCopper
	if x.Layer.Process = process.Find(l.addKind); l.role == pcb.RoleCopper {
		x.Layer.Process = "" // of a flexible layer the whole stack tells
	}
	if l.role == pcb.RoleDrill {
		from, to := j.span(l)
		x.Layer.FromLayer, x.Layer.ToLayer = int(from), int(to)
	}
	s.sheets[l.dir] = x
	s.b.Layers = append(s.b.Layers, x.Layer)
	return x
}

func (j *job) finishStep(s *step) {
	b := s.b
	if !s.profile && len(s.edges) > 0 {
		b.Outline = outline.Find(j.ctx, s.edges).Outline
		b.Outline.Source = pcb.Source{File: s.header.Name}
	}
	j.carveRoutes(s)
	f := &b.Facts
	src := pcb.Source{File: j.t.root + "matrix/matrix"}
	f.CopperLayers = pcb.State(j.copper(), src, 0.98, "ODB++ matrix")
	if box := b.Outline.Bounds(); len(b.Outline.Areas) > 0 {
		f.Width = pcb.State(box.Width(), b.Outline.Source, 0.97, "ODB++ profile")
		f.Height = pcb.State(box.Height(), b.Outline.Source, 0.97, "ODB++ profile")
	}
	artwork.StateHoles(b, pcb.Source{File: j.t.root + s.dir})
	if s.minLine > 0 {
		f.MinTrack = pcb.State(s.minLine, pcb.Source{File: j.t.root + s.dir}, 0.9, "narrowest line on copper")
	}
	j.state(s)
}

// dropEarlyStages leaves aside the steps that are earlier stages of another, and names
// those that have no outline. Tools of fabricators keep the drawing as it came and
// the one for the net comparison beside the board that they prepared.
func (j *job) dropEarlyStages(steps []*step) []*step {
	prepared := slices.ContainsFunc(steps, func(s *step) bool { return s.profile })
	used := map[string]bool{}
	for _, s := range steps {
		for _, r := range s.repeats {
			used[strings.ToLower(r.Step)] = true
		}
	}
	var out []*step
	for _, s := range steps {
		name := strings.ToLower(s.name)
		switch stage := name == "orig" || name == "net" || name == "input"; {
		case prepared && stage && !s.profile && !used[name] && len(s.repeats) == 0:
			j.finding(pcb.Note, "step_left_aside", j.t.root+s.dir, 0,
				"the step %q has no profile and is an earlier stage of the board; left aside", s.name)
			continue
		case len(s.b.Outline.Areas) == 0:
			j.finding(pcb.Problem, "outline_missing", j.t.root+s.dir+"/profile", 0, "the step %q has no profile, so the board has no outline", s.name)
		}
		out = append(out, s)
	}
	return out
}

// boards names the boards of the steps and draws the panels.
func (j *job) boards(steps []*step) []*pcb.Board {
	steps = j.dropEarlyStages(steps)
	byName := map[string]*step{}
	for _, s := range steps {
		byName[strings.ToLower(s.name)] = s
	}
	var plain, panels []*pcb.Board
	for _, s := range steps {
		s.b.Name = strings.TrimSuffix(j.t.root, "/")
		if s.b.Name == "" || strings.EqualFold(s.b.Name, "odb") {
			s.b.Name = j.t.name()
		}
		if len(steps) > 1 {
			s.b.Name += ":" + s.name
		}
		if len(s.repeats) == 0 {
			plain = append(plain, s.b)
		} else {
			panels = append(panels, s.b)
		}
	}
	for _, s := range steps {
		if len(s.repeats) > 0 {
			j.panel(s, byName)
		}
	}
	all := append(plain, panels...)
	for i, b := range all {
		if i == 0 || len(all) == 1 {
			b.Findings = append(b.Findings, j.findings...)
		}
	}
	return all
}

// panel draws the repeated steps in a panel.
func (j *job) panel(s *step, byName map[string]*step) {
	p := artwork.NewPanel(s.b, j.meter)
	for _, x := range s.repeats {
		src := byName[strings.ToLower(x.Step)]
		if src == nil || src == s || len(src.repeats) > 0 {
			j.finding(pcb.Warning, "panel_step_missing", s.header.Name, 0,
				"the panel %q repeats %q, which the job does not hold as a board", s.name, x.Step)
			continue
		}
		if !p.Repeat(src.b, x) {
			break
		}
	}
	src := pcb.Source{File: s.header.Name}
	p.State(src)
}
