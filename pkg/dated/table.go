package dated

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
)

// The columns that close every dated table.
var spanColumns = []string{"valid_from", "valid_to", "source", "checked", "certainty", "note"}

// A Table is a CSV file that was read whole. Lines that begin with # are
// comments; the first other line names the columns.
type Table struct {
	Name string
	Rows []*Row

	problems []error
}

// Read takes a table with exactly these columns and, behind them, those of
// Span. Problems of single cells are gathered while the rows are used; see Err.
func Read(name string, r io.Reader, columns ...string) (*Table, error) {
	return ReadPlain(name, r, slices.Concat(columns, spanColumns)...)
}

// ReadPlain takes a table without the columns of Span: lists that say nothing
// about a day.
func ReadPlain(name string, r io.Reader, columns ...string) (*Table, error) {
	in := csv.NewReader(r)
	in.Comment, in.TrimLeadingSpace = '#', true
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("%s: read the column names: %w", name, err)
	}
	if !slices.Equal(head, columns) {
		return nil, fmt.Errorf("%s: the columns are %q, want %q", name, head, columns)
	}
	t := &Table{Name: name}
	for {
		cells, err := in.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		line, _ := in.FieldPos(0)
		t.Rows = append(t.Rows, &Row{table: t, Line: line, columns: columns, cells: cells})
	}
}

// Err reports every cell that could not be used, each with its line and column.
func (t *Table) Err() error { return errors.Join(t.problems...) }
