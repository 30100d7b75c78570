package kit

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"boardorder/pkg/board/upload"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/table"
)

// An Unread is a file that looks like a bill of materials and was left aside, and why.
type Unread struct{ File, Why string }

// namedList are the words by which people name their lists.
var namedList = regexp.MustCompile(`(?i)(?:^|[^a-z])(?:e?bom|boms|bill[ _-]?of[ _-]?materials?|parts?[ _-]?list|partlist|stückliste|stueckliste|nomenclature|物料|清单)(?:[^a-z]|$)`)

// listLike reports whether a file may be meant as a bill of materials: a spreadsheet, or
// one that is named so.
func listLike(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv", ".xlsx", ".xls", ".ods":
		return true
	}
	return namedList.MatchString(path.Base(name))
}

// unusable says why a file cannot serve as a bill of materials; "" where it can.
func unusable(f upload.File, l bom.List, err error) string {
	switch {
	case len(strings.TrimSpace(string(f.Data))) == 0:
		return "it is empty"
	case errors.Is(err, table.ErrOldExcel):
		return "it is a workbook of before Excel 97: save it as .xlsx or .csv"
	case errors.Is(err, table.ErrProtected):
		return "a password protects it: save it without one"
	case err != nil && strings.HasPrefix(strings.TrimSpace(string(f.Data)), "<"):
		return "it is a web page or XML: save it as .xlsx or .csv"
	case errors.Is(err, bom.ErrNoParts), err == nil && len(l.Lines) == 0:
		return "it has a line of headings and no part below it"
	case errors.Is(err, bom.ErrNotBOM):
		return "none of its first lines has headings that are known, such as Reference, Quantity, Value, Footprint and MPN"
	case errors.Is(err, table.ErrDamaged):
		return "it is a damaged spreadsheet"
	case err != nil:
		return "it is no table"
	case len(l.Lines) > bom.MaxLines:
		return lengthProblem(len(l.Lines))
	}
	return ""
}

func lengthProblem(n int) string {
	return fmt.Sprintf("it has %d lines of parts, and at most %d are taken", n, bom.MaxLines)
}
