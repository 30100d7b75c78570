// Command design tells what a board's design files say, checks them and draws them.
//
//	design facts  [-json] DESIGN
//	design check  [-json] [-board NAME] DESIGN
//	design render [-board NAME] [-side top|bottom] [-width PIXELS] -o FILE DESIGN
//
// A DESIGN is a folder, an archive or a file. The exit status
// is 1 where a check finds what must be fixed, 2 where nothing could be done.
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"text/tabwriter"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Exit statuses.
const (
	statusMustFix = 1
	statusFailed  = 2
)

// errMustFix is a check's result, not a failure: it was printed.
var errMustFix = errors.New("something must be fixed")

func main() {
	ctx, end := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Stdout, os.Args[1:])
	end()
	switch {
	case errors.Is(err, errMustFix):
		os.Exit(statusMustFix)
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "design:", err)
		os.Exit(statusFailed)
	}
}

const usage = `usage:
  design facts  [-json] DESIGN
  design check  [-json] [-board NAME] DESIGN
  design render [-board NAME] [-side top|bottom] [-width PIXELS] -o FILE DESIGN

A DESIGN is a folder, an archive or a file.`

func run(ctx context.Context, w io.Writer, args []string) error {
	verbs := map[string]func(context.Context, io.Writer, []string) error{"facts": printFacts, "check": printCheck, "render": render}
	if len(args) == 0 || verbs[args[0]] == nil {
		fmt.Fprintln(os.Stderr, usage)
		return errors.New("facts, check or render is wanted")
	}
	return verbs[args[0]](ctx, w, args[1:])
}

// A command is what the verbs have in common.
type command struct {
	flags *flag.FlagSet
	json  bool
	board string
}

func newCommand(verb string) *command {
	return &command{flags: flag.NewFlagSet("design "+verb, flag.ContinueOnError)}
}

// read parses the arguments and reads the designs that they name.
func (c *command) read(ctx context.Context, args []string) (*pcb.Project, error) {
	if err := c.flags.Parse(args); err != nil {
		return nil, err
	}
	if c.flags.NArg() != 1 {
		return nil, errors.New("one design is wanted: a folder, an archive or a file")
	}
	design, err := openDesign(c.flags.Arg(0))
	if err != nil {
		return nil, err
	}
	project, err := board.Read(ctx, design)
	if err == nil && len(project.Boards) == 0 && !c.json {
		printFindings(os.Stderr, project.Findings)
		err = errors.New("there is no board in it")
	}
	return project, err
}

// chooseBoards gives the board that -board names, or all of them.
func (c *command) chooseBoards(p *pcb.Project) ([]*pcb.Board, error) {
	if c.board == "" {
		return p.Boards, nil
	}
	if b := p.Board(c.board); b != nil {
		return []*pcb.Board{b}, nil
	}
	var names []string
	for _, b := range p.Boards {
		names = append(names, b.Name)
	}
	return nil, fmt.Errorf("there is no board %q; there are %q", c.board, names)
}

// boardFacts is what facts says of one board.
type boardFacts struct {
	Board    string          `json:"board"`
	Facts    map[string]fact `json:"facts"`
	Findings []pcb.Finding   `json:"findings,omitempty"`
}

type fact struct {
	Value      any     `json:"value"`
	Preset     bool    `json:"preset,omitempty"` // a design tool's, that nobody chose
	File       string  `json:"file,omitempty"`
	How        string  `json:"how,omitempty"`
	Confidence float64 `json:"confidence"`
}

func printFacts(ctx context.Context, w io.Writer, args []string) error {
	c := newCommand("facts")
	c.flags.BoolVar(&c.json, "json", false, "print JSON")
	project, err := c.read(ctx, args)
	if err != nil {
		return err
	}
	if c.json {
		return printJSON(w, struct {
			Boards   []boardFacts  `json:"boards"`
			Findings []pcb.Finding `json:"findings,omitempty"`
		}{factsOf(project.Boards), project.Findings})
	}
	for _, b := range project.Boards {
		fmt.Fprintf(w, "%s\n", cmp.Or(b.Name, "board"))
		table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		for name, f := range b.Facts.List() {
			fmt.Fprintf(table, "  %s\t%v\t%s\t%s\n", name, f.Value, f.How, f.Source.File)
		}
		if err := table.Flush(); err != nil {
			return err
		}
		printFindings(w, b.Findings)
	}
	printFindings(w, project.Findings)
	return nil
}

func factsOf(boards []*pcb.Board) []boardFacts {
	out := make([]boardFacts, len(boards))
	for i, b := range boards {
		out[i] = boardFacts{Board: b.Name, Facts: map[string]fact{}, Findings: b.Findings}
		for name, f := range b.Facts.List() {
			out[i].Facts[name] = fact{Value: f.Value, Preset: f.Default, File: f.Source.File, How: f.How, Confidence: f.Confidence}
		}
	}
	return out
}

func printFindings(w io.Writer, findings []pcb.Finding) {
	for _, f := range findings {
		where := f.File
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d", f.File, f.Line)
		}
		if where != "" {
			where = " " + where
		}
		fmt.Fprintf(w, "  %s %s%s: %s\n", f.Level, f.Code, where, f.Message)
	}
}

// boardCheck is what check says of one board; lengths are millimetres.
type boardCheck struct {
	Board     string         `json:"board"`
	Findings  []checkFinding `json:"findings"`
	Assumed   []string       `json:"assumed,omitempty"`
	Unchecked []string       `json:"unchecked,omitempty"`
}

type checkFinding struct {
	Check   dfm.Name `json:"check"`
	Level   string   `json:"level"`
	What    string   `json:"what"`
	LimitMM float64  `json:"limit_mm,omitempty"`
	ValueMM float64  `json:"value_mm,omitempty"`
	Count   int      `json:"count"`
}

func printCheck(ctx context.Context, w io.Writer, args []string) error {
	c := newCommand("check")
	c.flags.BoolVar(&c.json, "json", false, "print JSON")
	c.flags.StringVar(&c.board, "board", "", "check this board alone")
	project, err := c.read(ctx, args)
	if err != nil {
		return err
	}
	boards, err := c.chooseBoards(project)
	if err != nil {
		return err
	}
	var checks []boardCheck
	worst := dfm.Note
	for _, b := range boards {
		report, err := board.Check(ctx, b)
		if err != nil {
			return err
		}
		checks = append(checks, newBoardCheck(b, report))
		for _, f := range report.Findings {
			worst = max(worst, f.Level)
		}
	}
	if c.json {
		err = printJSON(w, checks)
	} else {
		printChecks(w, checks)
	}
	if err == nil && worst == dfm.MustFix {
		err = errMustFix
	}
	return err
}

func newBoardCheck(b *pcb.Board, r *dfm.Report) boardCheck {
	out := boardCheck{Board: b.Name, Findings: []checkFinding{}, Assumed: r.Assumed, Unchecked: r.Unchecked}
	for _, f := range r.Findings {
		out.Findings = append(out.Findings, checkFinding{
			Check: f.Check, Level: f.Level.String(), What: f.What, Count: f.Count,
			LimitMM: geom.Millimetres(f.Limit), ValueMM: geom.Millimetres(f.Value),
		})
	}
	return out
}

func printChecks(w io.Writer, checks []boardCheck) {
	for _, c := range checks {
		fmt.Fprintln(w, cmp.Or(c.Board, "board"))
		if len(c.Findings) == 0 {
			fmt.Fprintln(w, "  nothing was found")
		}
		for _, f := range c.Findings {
			fmt.Fprintf(w, "  %s %s: %s\n", f.Level, f.Check, f.What)
		}
		for _, what := range c.Assumed {
			fmt.Fprintf(w, "  assumed: %s\n", what)
		}
		for _, what := range c.Unchecked {
			fmt.Fprintf(w, "  not checked: %s\n", what)
		}
	}
}

func render(ctx context.Context, _ io.Writer, args []string) error {
	c := newCommand("render")
	side := c.flags.String("side", "top", "top or bottom")
	width := c.flags.Int("width", 1200, "pixels")
	out := c.flags.String("o", "", "the PNG to write")
	c.flags.StringVar(&c.board, "board", "", "the board to draw, where there are several")
	project, err := c.read(ctx, args)
	if err != nil {
		return err
	}
	sides := map[string]pcb.Side{"top": pcb.Top, "bottom": pcb.Bottom}
	if sides[*side] == pcb.NoSide || *out == "" || *width <= 0 {
		return errors.New("-o names the file to write, -side is top or bottom, -width is above 0")
	}
	boards, err := c.chooseBoards(project)
	if err != nil {
		return err
	}
	if len(boards) > 1 {
		return fmt.Errorf("there are %d boards: name one with -board", len(boards))
	}
	var picture bytes.Buffer
	if err := board.Render(ctx, &picture, boards[0], sides[*side], *width); err != nil {
		return err
	}
	return os.WriteFile(*out, picture.Bytes(), 0o644)
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// openDesign gives what lies in a folder, or a single file.
func openDesign(path string) (fs.FS, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return os.DirFS(path), nil
	}
	dir, name := filepath.Split(path)
	return singleFile{os.DirFS(cmp.Or(dir, ".")), name}, nil
}

// singleFile is a folder of which one file alone is seen.
type singleFile struct {
	fs.FS
	name string
}

// ReadDir implements [fs.ReadDirFS].
func (f singleFile) ReadDir(string) ([]fs.DirEntry, error) {
	info, err := fs.Stat(f.FS, f.name)
	if err != nil {
		return nil, err
	}
	return []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
}
