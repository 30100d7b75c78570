package main

import (
	"math"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/blind/truth"
)

// outcome is how an answer compares with the truth, from best to worst.
type outcome uint8

const (
	unknown outcome = iota // the truth is not known
	right
	asked     // nothing was answered: the customer is asked
	wrongSaid // answered wrongly, and a finding says that something is doubtful
	silent    // answered wrongly without a word
)

func (o outcome) String() string {
	return [...]string{"-", "right", "asked", "wrong, said", "WRONG"}[o]
}

// tolerance is how far a size may be from the truth, in mm: half the pen of an
// outline that was measured otherwise.
const tolerance = 0.15

// judgement is how one reading compares with the truth.
type judgement struct {
	layers, size outcome
	gotLayers    int
	gotW, gotH   float64 // mm
	roles        map[outcome]int
	misses       []roleMiss
}

// roleMiss is a file whose role was not found, or found wrongly.
type roleMiss struct {
	file, want, got, why string
	outcome              outcome
}

// judge compares what was read with what is true.
func judge(t *truth.Design, p *pcb.Project, reports map[*pcb.Board]*dfm.Report) judgement {
	j := judgement{roles: map[outcome]int{}}
	j.layers, j.size = asked, asked
	if len(p.Boards) == 1 {
		j.board(t, p.Boards[0], doubtful(p, reports))
	}
	if t.Layers == 0 {
		j.layers = unknown
	}
	if t.Width == 0 {
		j.size = unknown
	}
	j.files(t, p)
	return j
}

// board compares the one board that was read. Of several the customer has to choose.
func (j *judgement) board(t *truth.Design, b *pcb.Board, doubt bool) {
	if f := b.Facts.CopperLayers; f.Known {
		j.gotLayers = f.Value
		j.layers = outcomeOf(f.Value == t.Layers, doubt)
	}
	w, h := b.Facts.Width, b.Facts.Height
	if w.Known && h.Known {
		j.gotW, j.gotH = mm(w.Value), mm(h.Value)
		j.size = outcomeOf(math.Abs(j.gotW-t.Width) <= tolerance && math.Abs(j.gotH-t.Height) <= tolerance, doubt)
	}
}

func outcomeOf(correct, doubt bool) outcome {
	switch {
	case correct:
		return right
	case doubt:
		return wrongSaid
	}
	return silent
}

// layout are checks that say that layers or outline are not what they should be.
var layout = map[dfm.Name]bool{
	dfm.OutlineMissing: true, dfm.OutlineOpen: true, dfm.CopperOutside: true, dfm.LayerMissing: true, dfm.LayerExtra: true,
	dfm.LayerEmpty: true, dfm.FilesUnreadable: true, dfm.TooComplex: true,
}

// doubtful reports whether anything was said of files, layers or outline that a
// customer looks at: a warning or worse.
func doubtful(p *pcb.Project, reports map[*pcb.Board]*dfm.Report) bool {
	for _, f := range p.Findings {
		if f.Level >= pcb.Warning {
			return true
		}
	}
	for _, b := range p.Boards {
		for _, f := range b.Findings {
			if f.Level >= pcb.Warning {
				return true
			}
		}
		if r := reports[b]; r != nil {
			for _, f := range r.Findings {
				if f.Level >= dfm.Warning && layout[f.Check] {
					return true
				}
			}
		}
	}
	return false
}

// files compares the role of every file that is known.
func (j *judgement) files(t *truth.Design, p *pcb.Project) {
	by := map[string]pcb.FileReport{}
	for _, f := range p.Files {
		by[f.Name] = f
	}
	reported := map[string]bool{}
	for _, f := range p.Findings {
		reported[f.File] = true
	}
	for _, want := range t.Files {
		got, read := by[want.Name]
		o := role(want, got, read, reported[want.Name])
		j.roles[o]++
		if o != right {
			j.misses = append(j.misses, roleMiss{want.Name, want.Role + " " + want.Side, describeRole(got), got.Why, o})
		}
	}
}

// builds are the roles that a board is made by.
var builds = map[pcb.Role]bool{
	pcb.RoleCopper: true, pcb.RoleMask: true, pcb.RolePaste: true, pcb.RoleSilk: true,
	pcb.RoleOutline: true, pcb.RoleDrill: true, pcb.RoleVCut: true,
}

// role compares one file. A file of which nothing is known is asked about when a
// finding names it. One that builds nothing may be left aside under any name.
func role(want truth.File, got pcb.FileReport, read, reported bool) outcome {
	switch {
	case !read:
		return asked
	case want.Role == "none":
		return outcomeOf(!builds[got.Role] || !got.Used, reported)
	case got.Role == pcb.RoleUnknown && reported:
		return asked
	case got.Role.String() != want.Role:
		return outcomeOf(false, reported)
	}
	return outcomeOf(matchesSide(want, got), reported)
}

// matchesSide compares the side, or a drill file's plating where the program states it.
func matchesSide(want truth.File, got pcb.FileReport) bool {
	switch {
	case want.Side == "":
		return true
	case got.Role == pcb.RoleDrill:
		return got.Plating == pcb.PlatingUnknown || platings[want.Side] == got.Plating
	}
	return got.Side.String() == want.Side
}

var platings = map[string]pcb.Plating{"plated": pcb.Plated, "nonplated": pcb.NonPlated, "mixed": pcb.MixedPlating}

func describeRole(f pcb.FileReport) string {
	if f.Role == pcb.RoleDrill {
		return f.Role.String() + " " + f.Plating.String()
	}
	return f.Role.String() + " " + f.Side.String()
}

func mm(nm int64) float64 { return float64(nm) / float64(geom.Millimetre) }
