package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"boardorder/pkg/board/testkit/corpus"
)

// Short times vary most, so small designs are timed more often than asked for: till
// that took longEnough, at most so many times as often.
const (
	longEnough = 2 * time.Second
	maxRounds  = 10
)

// timeout is how long a program may take for one design.
const timeout = 2 * time.Minute

// programs are those that the machine has; "" for what it has not.
type programs struct {
	ours, gerbv, node, tracespace, python string
}

// findPrograms looks for them on the path, and builds ours into a folder.
func findPrograms(dir string) (*programs, error) {
	ours, err := build(dir)
	if err != nil {
		return nil, err
	}
	p := &programs{ours: ours}
	p.gerbv, _ = exec.LookPath("gerbv")
	if folder := os.Getenv("TRACESPACE"); folder != "" {
		module := filepath.Join(folder, "node_modules", "@tracespace", "core", "dist", "tracespace-core.js")
		if _, err := os.Stat(module); err != nil {
			return nil, fmt.Errorf("TRACESPACE: %w", err)
		}
		p.tracespace = module
		if p.node, err = exec.LookPath("node"); err != nil {
			return nil, fmt.Errorf("TRACESPACE: %w", err)
		}
	}
	p.python = findKiCad()
	return p, nil
}

// build makes command work.
func build(dir string) (string, error) {
	name := filepath.Join(dir, "work")
	if out, err := exec.Command("go", "build", "-o", name, "boardorder/pkg/board/testkit/bench/read/work").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build command work: %w: %s", err, out)
	}
	return name, nil
}

// findKiCad gives the first Python on the path that has KiCad's module.
func findKiCad() string {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		python := filepath.Join(dir, "python3")
		if exec.Command(python, "-c", "import pcbnew").Run() == nil {
			return python
		}
	}
	return ""
}

// job is one program with its best run so far.
type job struct {
	name      string // empty: the machine has no such program
	args      []string
	picture   string // a file that it must make
	wall, cpu time.Duration
	out       []byte
	failed    bool
}

// run runs the job once more.
func (j *job) run() {
	if j.name == "" || j.failed {
		return
	}
	if j.picture != "" {
		os.Remove(j.picture)
	}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, j.name, j.args...)
	var out bytes.Buffer
	cmd.Stdout = &out
	start := time.Now()
	err := cmd.Run()
	wall := time.Since(start)
	if err == nil && j.picture != "" { // gerbv tells of failure by making nothing
		_, err = os.Stat(j.picture)
	}
	if err != nil {
		j.failed, j.wall, j.cpu = true, 0, 0
		return
	}
	cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if j.wall == 0 || wall < j.wall {
		j.wall, j.out = wall, out.Bytes()
	}
	if j.cpu == 0 || cpu < j.cpu {
		j.cpu = cpu
	}
}

// done is what a process of ours tells about its work.
type done struct {
	Boards, Objects int
	PeakKB          int64 // 0 where the system does not tell
}

// readDone reads what our process told.
func (j *job) readDone() done {
	var d done
	_ = json.Unmarshal(j.out, &d) // stays zero when the process failed
	return d
}

// measurement is what was measured of one design.
type measurement struct {
	name                                                      string
	pixels, theirPixels                                       int // of all layers at 600 dpi
	bytes                                                     int64
	facts, layers, gerbv, sides, svg, tracespace, load, kicad *job
}

var errNothing = errors.New("no file could be unpacked")

// measure lays a design out and lets the programs take turns.
func (p *programs) measure(folder string, runs int) (*measurement, error) {
	files, _, err := corpus.Load(context.Background(), folder) // a damaged archive has nothing to time
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errNothing
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	u, err := layOut(dir, files)
	if err != nil {
		return nil, err
	}
	m := p.jobs(u)
	jobs := []*job{m.facts, m.layers, m.gerbv, m.sides, m.svg, m.tracespace, m.load, m.kicad}
	start := time.Now()
	for n := range maxRounds * max(1, runs) {
		if n >= runs && time.Since(start) > longEnough {
			break
		}
		for _, j := range jobs {
			j.run()
		}
	}
	m.pixels, m.theirPixels = pixels(m.layers.picture), pixels(m.gerbv.picture)
	for _, j := range jobs {
		if j.failed && j.name == p.ours {
			return nil, fmt.Errorf("our own process failed: %v", j.args)
		}
	}
	return m, nil
}

// pixels is how many a picture has.
func pixels(name string) int {
	f, err := os.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	c, err := png.DecodeConfig(f)
	if err != nil {
		return 0
	}
	return c.Width * c.Height
}

//go:embed tracespace.mjs
var tracespaceScript string

// jobs are the processes for a design.
func (p *programs) jobs(u *design) *measurement {
	out := filepath.Join(u.dir, pictures)
	ours := func(work, folder string) *job {
		return &job{name: p.ours, args: []string{"-out", out, work, filepath.Join(u.dir, folder)}}
	}
	m := &measurement{bytes: u.bytes, facts: ours("facts", everything), sides: ours("sides", everything),
		layers: &job{}, gerbv: &job{}, svg: &job{}, tracespace: &job{}, load: &job{}, kicad: &job{}}
	if len(u.gerbers) > 0 {
		m.layers = ours("layers", gerberFiles)
		m.layers.picture = filepath.Join(out, "layers.png")
		picture := filepath.Join(out, "gerbv.png")
		args := []string{"-x", "png", "-D", "600", "-B", "0", "-o", picture}
		m.gerbv = &job{name: p.gerbv, args: append(args, u.gerbers...), picture: picture}
	}
	if len(u.artwork) > 0 && p.tracespace != "" {
		m.svg = ours("svg", artFiles)
		args := []string{"--input-type=module", "-e", tracespaceScript, "--", p.tracespace, out}
		m.tracespace = &job{name: p.node, args: append(args, u.artwork...)}
	}
	if len(u.boards) > 0 && p.python != "" {
		m.load = ours("facts", pcbFiles)
		args := []string{"-c", "import sys, pcbnew\nfor f in sys.argv[1:]: pcbnew.LoadBoard(f)"}
		m.kicad = &job{name: p.python, args: append(args, u.boards...)}
	}
	return m
}
