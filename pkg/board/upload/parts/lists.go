// Package parts takes over the parts that artwork places, and compares the lists of parts of
// an upload with each other.
package parts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/sidefiles/partlist"
)

// A partTable is a bill of materials or a placement file.
type partTable struct {
	file  string
	count map[string]int // by designator
}

// CompareLists compares the bill of materials with the placement files: parts that
// nobody places, places without a part and parts that stand twice. Spreadsheets
// other than text are left to those who buy the parts.
func CompareLists(files []classify.File, set *classify.Set, list *findings.List) {
	boms, places := readTables(files, set, classify.FormatBOM), readTables(files, set, classify.FormatPlacement)
	if n := countFormat(set, classify.FormatBOM); n > 1 {
		level, what := pcb.Warning, "which of them holds is not said"
		switch {
		case len(boms) > 1 && areAlike(boms):
			level, what = pcb.Note, "those that are text name the same parts"
		case len(boms) == n && areDisjoint(boms):
			level, what = pcb.Note, "they name different designators, so all of them hold"
		case len(boms) > 1:
			what = "they name different parts"
		}
		list.Say(level, "bom_several", "", "%d files are bills of materials: %s", n, what)
	}
	for _, t := range places {
		if twice := t.partsWhere(func(_ string, n int) bool { return n > 1 }); len(twice) > 0 {
			list.Say(pcb.Warning, "placement_twice", t.file, "the placement file places %s more than once", listParts(twice))
		}
	}
	if len(boms) != 1 || len(places) == 0 || len(places) < countFormat(set, classify.FormatPlacement) {
		return
	}
	all := partTable{count: map[string]int{}}
	for _, t := range places {
		for part, n := range t.count {
			all.count[part] += n
		}
	}
	boms[0] = boms[0].respell(all)
	if missing := boms[0].partsWhere(func(p string, _ int) bool { return all.count[p] == 0 && !unplaced().MatchString(p) }); len(missing) > 0 {
		list.Say(pcb.Warning, "placement_missing", boms[0].file, "no placement file places %s of the bill of materials", listParts(missing))
	}
	if stray := all.partsWhere(func(p string, _ int) bool { return boms[0].count[p] == 0 }); len(stray) > 0 {
		list.Say(pcb.Note, "placement_without_part", places[0].file, "the bill of materials does not name %s, which the placement file places", listParts(stray))
	}
}

// respell writes parts as the places do, where these differ in small and capital
// letters only: nobody has both "r1" and "R1".
func (t partTable) respell(places partTable) partTable {
	folded := map[string]string{}
	for _, place := range slices.Sorted(maps.Keys(places.count)) {
		folded[strings.ToUpper(place)] = place
	}
	out := partTable{file: t.file, count: map[string]int{}}
	for part, n := range t.count {
		place, ok := folded[strings.ToUpper(part)]
		if m := partUnit().FindStringSubmatch(part); m != nil && !ok && t.count[m[1]] == 0 { // U1A and U1B are gates of U1
			place, ok = folded[strings.ToUpper(m[1])]
		}
		if places.count[part] == 0 && ok && t.count[place] == 0 {
			part = place
		}
		out.count[part] += n
	}
	return out
}

func countFormat(set *classify.Set, format string) (n int) {
	for _, f := range set.Results {
		if f.Format == format {
			n++
		}
	}
	return n
}

// readTables reads the tables of a format that are text.
func readTables(files []classify.File, set *classify.Set, format string) (out []partTable) {
	for i, f := range set.Results {
		if f.Format != format {
			continue
		}
		if parts, ok := partlist.Parts(files[i].Data); ok {
			t := partTable{file: f.Name, count: map[string]int{}}
			for _, p := range parts {
				t.count[p]++
			}
			out = append(out, t)
		}
	}
	return out
}

// partsWhere gives the parts for which a test holds, sorted.
func (t partTable) partsWhere(test func(part string, n int) bool) (out []string) {
	for p, n := range t.count {
		if test(p, n) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func areAlike(tables []partTable) bool {
	for _, t := range tables[1:] {
		if len(t.count) != len(tables[0].count) || len(t.partsWhere(func(p string, _ int) bool { return tables[0].count[p] == 0 })) > 0 {
			return false
		}
	}
	return true
}

// areDisjoint reports whether no part stands in two tables.
func areDisjoint(tables []partTable) bool {
	seen := map[string]bool{}
	for _, t := range tables {
		for p := range t.count {
			if seen[p] {
				return false
			}
			seen[p] = true
		}
	}
	return true
}

// partUnit is the designator of a gate of a part.
var partUnit = pattern.Lazy(`^([A-Za-z_]{1,12}[0-9]{1,6})[A-Za-z]$`)

// unplaced are designators of fiducials, holes and test points, which placement files
// often leave out.
var unplaced = pattern.Lazy(`^(?i:FID|TP|MH|MTG|HOLE|H)[0-9]+$`)

// listParts lists parts, a dozen at most.
func listParts(parts []string) string {
	const most = 12
	parts = slices.Clone(parts)
	for i, p := range parts {
		parts[i] = untrusted.Mention(p)
	}
	if len(parts) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(parts[:most], ", "), len(parts)-most)
	}
	return strings.Join(parts, ", ")
}
