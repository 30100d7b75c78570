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
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/worker"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/refdes"
	"boardorder/services/part-sourcing/internal/sourcing"
)

// A List is what a client wants looked up.
type List struct {
	request    sourcing.Request
	references []string // as the client wrote them, of each of the request's lines; "" where a file has them
	notes      []string
}

func (s *Service) list(ctx context.Context, data partchecks.CheckData) (List, error) {
	if data.BOM != "" {
		return s.listFromText(ctx, data)
	}
	var plan assembly.Plan
	var l List
	for i, p := range data.Parts { // each for itself: a reference may stand on several
		line := assembly.Line{Line: lineOf(p)}
		if line.Row = i + 1; !line.Short {
			line.PerBoard = p.Quantity
		}
		plan.Lines = append(plan.Lines, line)
		l.references = append(l.references, p.Reference)
	}
	made, err := s.plan(plan, data.Boards)
	l.request, l.notes = made.request, made.notes
	l.request.Since, l.request.Sparing = data.Since, data.Sparing
	return l, err
}

// lineOf is a line as a bill of materials has it.
func lineOf(p partchecks.Line) bom.Line {
	l := bom.Line{
		MPN: p.MPN, Manufacturer: p.Manufacturer, FabCode: p.FabPartCode, Value: p.Value, Footprint: p.Footprint,
		Description: p.Description,
	}
	for name, number := range p.Codes {
		l.Codes = l.Codes.Add(part.Scheme(name), number)
	}
	if numbers := bom.Numbers(p.MPN); len(numbers) > 1 {
		l.MPN, l.Joined = numbers[0], bom.NumbersOfSeveral(p.MPN)
		for _, n := range numbers[1:] {
			l.Alternates = append(l.Alternates, bom.Part{MPN: n})
		}
	}
	l.Refs, _ = refdes.Parse(l.Unmark(p.Reference))
	l.Settle(p.Quantity)
	l.Tidy()
	l.Quantity = cmp.Or(p.Quantity, len(l.Refs), 1)
	l.Short = l.Quantity < len(l.Refs)
	return l
}

func (s *Service) listFromText(ctx context.Context, data partchecks.CheckData) (List, error) {
	read, err := s.read(ctx, data.BOM)
	if err != nil {
		return List{}, err
	}
	if n := len(read.Lines); n > bom.MaxLines {
		return List{}, refuseText("too_long", map[string]int{"max_lines": bom.MaxLines}, "bom_csv has at most %d lines of parts; this has %d.", bom.MaxLines, n)
	}
	l, err := s.plan(assembly.Match(read, nil, assembly.Choices{}), data.Boards)
	l.notes = append(notesOf(read.Notes), l.notes...)
	return l, err
}

func (s *Service) plan(plan assembly.Plan, boards int) (List, error) {
	rates, ok := s.rates.RatesOn(s.now())
	if !ok {
		return List{}, fmt.Errorf("no rates of assembly on %s", s.now())
	}
	lines := sourcing.PlanLines(plan.Lines, int64(boards), &rates)
	l := List{request: sourcing.Request{Boards: int64(boards), Lines: lines}}
	l.notes = append(l.notes, designatorNotes(plan)...)
	off := 0
	for i := range lines {
		if lines[i].LeftOff {
			off++
		}
	}
	if off > 0 {
		l.notes = append(l.notes, fmt.Sprintf("Lines for which nothing is bought have left_off, and why, %d in all: marked as not fitted, or fiducials, holes, test points and the like.", off))
	}
	return l, nil
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
	case worker.IsFailure(err):
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
	bom.OddReference:    "Some words among the references name no place on the board",
	bom.NoReferences:    "Lines without references were left out",
	bom.ListCut:         "The list is longer than is read; the rest was left out",
	bom.NoHeading:       "No line names the columns; what they hold was deduced",
	bom.FitUnclear:      "A cell about fitting says neither yes nor no; the part was taken as fitted",
	bom.QuantityUnread:  "A quantity is no number, or may be read as two; the references were counted, and one piece taken where there are none",
	bom.NumberSpoiled:   "A part number was turned into a number, a date or an error by a spreadsheet, and was not used",
	bom.MarksUnused:     "Columns of marks, as for variants, were not used, since nobody knows what they say; every line was taken as fitted",
	bom.NumbersUnused:   "A column looks like part numbers, and was not used, since its heading is not known: head it MPN, and the parts that it names are bought",
	bom.SheetsUnread:    "The workbook has other sheets that look like lists of parts; the one with the most lines was read: to have another one read, name it in file_answers.parts_sheet",
	bom.RowHidden:       "Lines that the spreadsheet hides were read as the others",
}

// fewDisputed is how many designators of a list name different parts by mistake alone.
const fewDisputed = 3

// seemsOfSeveralBoards reports whether most designators of a list name different parts.
func seemsOfSeveralBoards(p assembly.Plan) bool {
	disputed, all := 0, 0
	for i := range p.Lines {
		all += len(p.Lines[i].Refs)
		if len(p.Lines[i].Disputed) > 0 {
			disputed += len(p.Lines[i].Refs)
		}
	}
	return disputed >= fewDisputed && 2*disputed > all
}

// designatorNotes say which designators stood on several lines, and which are those of
// different parts though they are hardly told apart.
func designatorNotes(p assembly.Plan) []string {
	var out []string
	if len(p.TwiceListed) > 0 {
		out = append(out, "References that stand on several lines of the list are counted once: "+refdes.Name(p.TwiceListed)+".")
	}
	if seemsOfSeveralBoards(p) {
		out = append(out, "Most references stand on several lines that name different parts, as where the lists of several boards are in one file: send the list of this board alone, in a file of its own with one sheet.")
	}
	if len(p.CaseApart) > 0 {
		out = append(out, "References that differ in small and capital letters only are taken for different parts: "+refdes.Name(p.CaseApart)+".")
	}
	return out
}

// maxRows is how many lines a note names.
const maxRows = 10

func notesOf(notes []bom.Note) []string {
	rows := map[string][]string{}
	for _, n := range notes {
		if rows[n.Code] == nil {
			rows[n.Code] = []string{}
		}
		if row := strconv.Itoa(n.Row); n.Row > 0 && len(rows[n.Code]) < maxRows && !slices.Contains(rows[n.Code], row) {
			rows[n.Code] = append(rows[n.Code], row)
		}
	}
	var out []string
	for _, code := range slices.Sorted(maps.Keys(rows)) {
		text, ok := notesText[code]
		switch {
		case !ok:
			continue
		case len(rows[code]) > 0: // else it is about the whole list
			text += " (line " + strings.Join(rows[code], ", ") + ")"
		}
		out = append(out, text+".")
	}
	return out
}
