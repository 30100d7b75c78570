package partsourcing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/worker"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/sourcing"
)

// mostLines is how many lines a list may have.
const mostLines = 300

// A List is what a client wants looked up.
type List struct {
	request    sourcing.Request
	references []string // as the client wrote them, of each of the request's lines; "" where a file has them
	notes      []string
}

func (s *Service) list(ctx context.Context, data contract.CheckPartsData) (List, error) {
	if data.BOM != "" {
		return s.fromText(ctx, data)
	}
	var lines bom.List
	for _, p := range data.Parts {
		lines.Lines = append(lines.Lines, lineOf(p))
	}
	plan := assembly.Match(lines, nil, assembly.Choices{}).Lines
	for i, p := range data.Parts {
		plan[i].PerBoard = p.Quantity
	}
	l, at, err := s.plan(plan, data.Boards)
	l.request.Since = data.Since
	for _, i := range at {
		l.references = append(l.references, data.Parts[i].Reference)
	}
	return l, err
}

// lineOf is a line as a bill of materials has it.
func lineOf(p contract.PartLine) bom.Line {
	l := bom.Line{
		MPN: p.MPN, Manufacturer: p.Manufacturer, FabCode: p.FabPartCode, Value: p.Value, Footprint: p.Footprint,
		DistributorA: p.DistributorA, DistributorB: p.DistributorB, Description: p.Description,
	}
	l.Refs, _ = refdes.Parse(p.Reference)
	l.Quantity = cmp.Or(p.Quantity, len(l.Refs), 1)
	return l
}

func (s *Service) fromText(ctx context.Context, data contract.CheckPartsData) (List, error) {
	read, err := s.read(ctx, data.BOM)
	if err != nil {
		return List{}, err
	}
	if n := len(read.Lines); n > mostLines {
		return List{}, refuseText("too_long", map[string]int{"max_lines": mostLines}, "bom_csv has at most %d lines of parts; this has %d.", mostLines, n)
	}
	l, _, err := s.plan(assembly.Match(read, nil, assembly.Choices{}).Lines, data.Boards)
	l.notes = append(notesOf(read.Notes), l.notes...)
	return l, err
}

func (s *Service) plan(plan []assembly.Line, boards int) (List, []int, error) {
	rates, ok := s.rates.On(s.now())
	if !ok {
		return List{}, nil, fmt.Errorf("no rates of assembly on %s", s.now())
	}
	lines, at := sourcing.Lines(plan, int64(boards), &rates, nil)
	l := List{request: sourcing.Request{Boards: int64(boards), Lines: lines}}
	if n := len(plan) - len(lines); n > 0 {
		l.notes = append(l.notes, fmt.Sprintf("Lines of which nothing is bought were left out, %d in all: marked as not fitted, or fiducials, holes, test points and the like.", n))
	}
	return l, at, nil
}

// read has a worker read the text of a file.
func (s *Service) read(ctx context.Context, text string) (bom.List, error) {
	var out readResult
	order := worker.Order{
		Task: readTask, Timeout: s.cfg.ReadTimeout, Result: &out,
		Files: []worker.Source{{Name: "bom.csv", Size: int64(len(text)), Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(text)), nil
		}}},
	}
	err := s.workers.Run(ctx, order)
	if errors.Is(err, worker.ErrDied) { // perhaps for another's need of memory
		err = s.workers.Run(ctx, order)
	}
	switch {
	case worker.Failed(err):
		return bom.List{}, refuseText("malformed", nil, "bom_csv cannot be read: reading it takes more than is allowed.")
	case err != nil:
		return bom.List{}, err
	case out.Unreadable || len(out.List.Lines) == 0:
		return bom.List{}, refuseText("malformed", nil, "bom_csv is no bill of materials: a line of headings such as Reference, Quantity, MPN, Value and Footprint is needed, and a line for each part.")
	}
	return out.List, nil
}

func refuseText(problem string, allowed any, format string, args ...any) *contract.Refusal {
	r := contract.Refuse(contract.InvalidRequest, format, args...)
	r.Fields = []contract.FieldProblem{{Field: "bom_csv", Problem: problem, Message: r.Message, Allowed: allowed}}
	return r
}

// notesText words what is odd about a list.
var notesText = map[string]string{
	bom.QuantityDiffers: "The quantity is not the number of references; the references were counted",
	bom.RefTwice:        "A reference stands in two lines",
	bom.OddReference:    "Some words among the references name no place on the board",
	bom.NoReferences:    "Lines without references were left out",
	bom.ListCut:         "The list is longer than is read; the rest was left out",
	bom.NoHeading:       "No line names the columns; what they hold was deduced",
	bom.FitUnclear:      "A cell about fitting says neither yes nor no; the part was taken as fitted",
	bom.QuantityUnread:  "A quantity is no number",
}

// mostRows is how many lines a note names.
const mostRows = 10

func notesOf(notes []bom.Note) []string {
	rows := map[string][]string{}
	for _, n := range notes {
		row := strconv.Itoa(n.Row)
		if len(rows[n.Code]) < mostRows && !slices.Contains(rows[n.Code], row) {
			rows[n.Code] = append(rows[n.Code], row)
		}
	}
	var out []string
	for _, code := range slices.Sorted(maps.Keys(rows)) {
		if text, ok := notesText[code]; ok {
			out = append(out, text+" (line "+strings.Join(rows[code], ", ")+").")
		}
	}
	return out
}
