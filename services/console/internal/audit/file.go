package audit

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/audits"
)

// A Writer writes entries of the audit trail to a file.
type Writer interface {
	Write(audits.Entry) error
	Close() error // ends the file
}

// Formats are the forms of such a file.
func Formats() []string { return []string{"csv", "json"} }

// NewWriter writes one of Formats. JSON is one entry a line, as it is
// chained, so that whoever has the file can verify it; CSV is for spreadsheets,
// and no cell of it can be taken for a formula.
func NewWriter(w io.Writer, format string) (Writer, error) {
	switch format {
	case "json":
		return jsonTrail{json.NewEncoder(w)}, nil
	case "csv":
		t := csvTrail{csv.NewWriter(w)}
		t.w.UseCRLF = true
		return t, t.w.Write(trailHead)
	}
	return nil, fmt.Errorf("format %q is none of %s", format, strings.Join(Formats(), ", "))
}

type jsonTrail struct{ *json.Encoder }

func (t jsonTrail) Write(e audits.Entry) error { return t.Encode(e) }
func (jsonTrail) Close() error                 { return nil }

var trailHead = []string{"n", "at", "operator", "action", "outcome", "kind", "id", "account", "key", "request", "before", "after", "from", "prev", "hash"}

type csvTrail struct{ w *csv.Writer }

func (t csvTrail) Write(e audits.Entry) error {
	r, err := e.Read()
	if err != nil {
		return err
	}
	row := []string{
		strconv.FormatUint(e.N, 10), r.At.UTC().Format(time.RFC3339Nano), r.Operator, r.Action, r.Outcome, r.Kind, r.ID, r.Account, r.Key, r.Request,
		pairs(r.Before), pairs(r.After), r.From, e.Prev, e.Hash,
	}
	for i := range row {
		row[i] = untrusted.Cell(row[i])
	}
	return t.w.Write(row)
}

func (t csvTrail) Close() error {
	t.w.Flush()
	return t.w.Error()
}

// pairs writes what was before or after: name=value; name=value.
func pairs(m map[string]string) string {
	parts := make([]string, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, name+"="+m[name])
	}
	return strings.Join(parts, "; ")
}
