package odb

import (
	"context"
	"fmt"

	"boardorder/pkg/board/internal/artwork"
	"boardorder/pkg/board/pcb"
)

// Read makes boards of every job among files. Findings are those of jobs that
// gave no board.
func Read(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	roots := Roots(names)
	var boards []*pcb.Board
	var findings []pcb.Finding
	for _, root := range roots {
		if ctx.Err() != nil {
			break
		}
		j := newJob(pcb.FileContext(ctx, root+"matrix/matrix"), newTree(root, files, roots))
		got := j.read()
		if len(got) == 0 {
			findings = append(findings, j.findings...)
			findings = append(findings, pcb.Finding{Code: "no_board", Level: pcb.Problem, File: root + "matrix/matrix",
				Message: "the ODB++ job holds no step with a board in it"})
		}
		boards = append(boards, got...)
	}
	return boards, findings
}

// A job is one ODB++ job while it is read.
type job struct {
	ctx      context.Context
	t        *tree
	unit     float64 // of files that name none
	info     map[string]string
	layers   []*layer
	steps    []string
	own      map[string]*ownSymbol
	findings []pcb.Finding
	counts   map[string]int
	order    []passed
	meter    pcb.Meter
}

type passed struct {
	what, file string
	line       int
}

// An loadSymbol is a symbol that the job itself defines.
type ownSymbol struct {
	shape     artwork.Shape
	empty, ok bool
	busy      bool
}

func newJob(ctx context.Context, t *tree) *job {
	return &job{ctx: ctx, t: t, unit: nmPerInch, own: map[string]*ownSymbol{}, counts: map[string]int{}, info: map[string]string{}, meter: pcb.MeterOf(ctx)}
}

// open reads a file of the job; damage to its packing is said.
func (j *job) open(p string) (File, bool) {
	f, fault, ok := j.t.open(p)
	if fault != nil {
		j.finding(pcb.Problem, "file_damaged", f.Name, 0, "%v; what could be unpacked was read", fault)
	}
	return f, ok
}

func (j *job) finding(level pcb.Level, code, file string, line int, format string, args ...any) {
	const most = 500
	if len(j.findings) < most {
		j.findings = append(j.findings, pcb.Finding{Code: code, Level: level, File: file, Line: line, Message: fmt.Sprintf(format, args...)})
	}
}

// passOver counts what is not read, for one finding at the end.
func (j *job) passOver(what, file string, line int) {
	if len(what) > 60 {
		what = what[:60]
	}
	if _, ok := j.counts[what]; !ok {
		if len(j.order) > 100 {
			return
		}
		j.order = append(j.order, passed{what, file, line})
	}
	j.counts[what]++
}

func (j *job) read() []*pcb.Board {
	j.readInfo()
	if !j.readMatrix() {
		return nil
	}
	steps := make([]*step, 0, len(j.steps))
	for _, name := range j.steps {
		if j.ctx.Err() != nil {
			break
		}
		if s := j.readStep(name); s != nil {
			steps = append(steps, s)
		}
	}
	for _, p := range j.order {
		j.finding(pcb.Warning, "element_not_read", p.file, p.line, "%q is not understood and was left out", p.what)
		j.findings[len(j.findings)-1].Count = j.counts[p.what]
	}
	return j.boards(steps)
}

// readInfo reads misc/info and the job's attributes.
func (j *job) readInfo() {
	for _, p := range []string{"misc/info", "misc/attrlist"} {
		f, ok := j.open(p)
		if !ok {
			continue
		}
		for k, v := range parseRecords(f.Data)[0].value {
			if _, twice := j.info[k]; !twice {
				j.info[k] = v
			}
		}
	}
	j.unit = unitOf(j.info["UNITS"], j.unit)
}

// loadSymbol reads a symbol of the job's own. Symbols may hold others, a few deep.
func (j *job) loadSymbol(name string, depth int) (s artwork.Shape, empty, ok bool) {
	const maxDepth = 6
	if o := j.own[name]; o != nil {
		return o.shape, o.empty, o.ok && !o.busy
	}
	f, found := j.open("symbols/" + name + "/features")
	if !found || depth > maxDepth {
		return s, false, false
	}
	o := &ownSymbol{busy: true}
	j.own[name] = o
	var prims []pcb.Primitive
	r := featureFile{j: j, name: f.Name, unit: j.unit, depth: depth, take: func(x *feature) {
		p := x.primitives(j.meter)
		if j.meter.Spend(pcb.Primitives, len(p)) {
			prims = append(prims, p...)
		}
	}}
	r.read(f.Data)
	o.busy, o.ok, o.empty = false, true, len(prims) == 0
	whole := pcb.Custom(name, prims)
	o.shape = artwork.Shape{Key: "own " + name, Build: func() pcb.Aperture { return whole }}
	return o.shape, o.empty, true
}
