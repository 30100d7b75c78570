// Package design reads what the files of a board say, in words for the team.
package design

import (
	"context"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/wording"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/states"
)

// unitsOfFacts are how the names of facts end that are measured in one.
var unitsOfFacts = []struct{ suffix, unit string }{{"_mm2", " mm²"}, {"_mm", " mm"}, {"_oz", " oz"}, {"_um", " µm"}, {"_percent", " %"}}

// FactName is the name of a fact less its unit: smallest_drill_mm is "smallest drill".
func FactName(fact string) string {
	for _, u := range unitsOfFacts {
		if rest, ok := strings.CutSuffix(fact, u.suffix); ok {
			return format.Words(rest)
		}
	}
	return format.Words(fact)
}

// FactValue is the value of a fact with its unit.
func FactValue(f Fact) string {
	text := untrusted.Line(wording.Value(f.Value), 200)
	if _, number := f.Value.(float64); !number {
		return text
	}
	for _, u := range unitsOfFacts {
		if strings.HasSuffix(f.Name, u.suffix) {
			return text + u.unit
		}
	}
	return text
}

// Design is what was read from a set of files.
type Design struct {
	Read  *boards.ReadFiles
	Drawn *boards.Board
	Facts []Fact
}

// A Fact is one thing that was read of a board, with its name.
type Fact struct {
	Name string
	boards.Fact
}

// Read gives what was read of the files of a digest, and the board of that name
// or else the first.
func Read(ctx context.Context, docs projection.Store, digest, board string) (Design, error) {
	read, err := states.Get[boards.ReadFiles](ctx, docs, contract.BoardAggregate, digest)
	if err != nil || read == nil || len(read.Boards) == 0 {
		return Design{Read: read}, err
	}
	i := max(0, slices.IndexFunc(read.Boards, func(b boards.Board) bool { return b.Name == board }))
	d := Design{Read: read, Drawn: &read.Boards[i]}
	for _, name := range slices.Sorted(maps.Keys(d.Drawn.Facts)) {
		d.Facts = append(d.Facts, Fact{Name: name, Fact: d.Drawn.Facts[name]})
	}
	return d, nil
}
