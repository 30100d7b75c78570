// Package kit finds out which parts an upload says that one of its boards takes:
// its bill of materials and its placements, from tables where there are some,
// else from the design itself. It looks nothing up.
package kit

import (
	"context"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/pads"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// A Kit is what an upload says about the parts of a board.
type Kit struct {
	List      bom.List         // no lines: there is none
	Places    []placement.List // none: nothing says where parts go
	Fits      map[string]design.Fit
	Files     []string           // what List and Places were read from; none of a design
	Listed    bool               // List is of a file that is a bill of materials, not of placements or a design
	Others    []bom.List         // other lists of the board that share designators with List
	Unread    []Unread           // files that look like a list and could not be used
	Moved     bool               // Places have another origin than the board
	Offset    *geom.Point        // between that origin and the board's, where the pads tell it
	Doubts    []pads.Doubt       // files of Places that lie on no pads as they are listed
	Misplaced []pads.Misplaced   // single parts that do not lie on their pads
	NoUnit    bool               // a file of Places does not say its unit, and no unit or several fit the board
	Frame     geom.Box           // what pictures of the board show, less their margin
	NoSheet   bool               // no workbook has the sheet that the customer names
	Sheets    []string           // with NoSheet: those that are lists
	Outlines  map[string]Outline // by designator, in the frame of the board
}

// An Outline is about where a part lies, as seen from the top.
type Outline struct {
	Side placement.Side
	Box  geom.Box
}

// maxTable bounds the tables that are looked at, in bytes.
const maxTable = 8 << 20

// Read reads the files of an upload and tells what it says about the parts of
// the board of that name, as a reading of the same files with the same answers names it;
// ok is false where no board has that name.
func Read(ctx context.Context, files []upload.File, a *answers.FileAnswers, name string) (k Kit, ok bool) {
	return ReadBoard(upload.Read(ctx, files, upload.Options{Answers: a}), files, a, name)
}

// ReadBoard is [Read] where the boards of the files are known already.
func ReadBoard(project *pcb.Project, files []upload.File, a *answers.FileAnswers, name string) (k Kit, ok bool) {
	if a == nil {
		a = &answers.FileAnswers{}
	}
	b := project.Board(name)
	if b == nil {
		return Kit{}, false
	}
	lists, places, unread := tables(files, a.PartsSheet)
	var sheets []string
	if a.PartsSheet != "" {
		if lists, sheets = chooseSheet(lists, a.PartsSheet); len(lists) == 0 {
			return Kit{NoSheet: true, Sheets: sheets}, true
		}
	}
	k = choose(b, len(project.Boards), lists, places, a.Placements)
	k.Unread = append(unread, k.Unread...)
	return k, true
}

// chooseSheet gives the lists of the sheet that the customer names, and the names of all.
func chooseSheet(lists []bom.List, sheet string) (of []bom.List, sheets []string) {
	for _, l := range lists {
		sheets = append(sheets, l.Sheets...)
		if l.Sheet != "" && bom.IsNamed(l.Sheet, sheet) {
			of = append(of, l)
		}
	}
	return of, slices.DeleteFunc(sheets, func(name string) bool { return name == "" })
}

// tables reads every file that may be a table; of a workbook the sheet of that name, where
// it has one. One that comes twice, loose and in an archive, counts once. unread are those that look like a list and are none.
func tables(files []upload.File, sheet string) (lists []bom.List, places []placement.List, unread []Unread) {
	seen := map[string]bool{}
	for _, f := range files {
		switch strings.ToLower(path.Ext(f.Name)) {
		case ".csv", ".tsv", ".xlsx", ".xls", ".ods", ".txt", ".pos", ".mnt", ".mnb":
		default:
			continue
		}
		if key := path.Base(f.Name) + "\x00" + string(f.Data); len(f.Data) > maxTable || seen[key] {
			continue
		} else {
			seen[key] = true
		}
		list, err := bom.ReadSheet(f.Name, f.Data, sheet)
		if len(list.Lines) > bom.MaxLines {
			list = list.Group()
		}
		place, placeErr := placement.Read(f.Name, f.Data)
		placed := placeErr == nil && len(place.Parts) > 0
		if placed {
			places = append(places, place)
		}
		switch why := unusable(f, list, err); {
		case why == "":
			lists = append(lists, list)
		case !placed && listLike(f.Name):
			unread = append(unread, Unread{f.Name, why})
		}
	}
	return lists, places, unread
}

// choose takes the list that fits the board best, and the placements with it, as the
// customer answers that they are meant.
func choose(b *pcb.Board, boards int, lists []bom.List, places []placement.List, meant string) Kit {
	k := Kit{Fits: design.Fits(b), Frame: frame(b)}
	own := design.Has(b)
	known := references(b)
	if len(known) > 0 {
		places = slices.DeleteFunc(places, func(l placement.List) bool { return !mostly(partRefs(l), known) })
	}
	for _, l := range places {
		k.Files = append(k.Files, l.File)
	}
	if len(known) == 0 && boards == 1 {
		for _, ref := range slices.Concat(refLists(places)...) {
			known[refdes.Fold(ref)] = true
		}
	}
	best, ok := chooseList(lists, known, boards)
	switch {
	case ok && !(lists[best].Positions && own): // what the design says of its parts is more than where they lie
		k.List, k.Listed = lists[best], !lists[best].Positions
		k.Files = append(k.Files, k.List.File)
		if k.Listed {
			k.join(slices.Delete(slices.Clone(lists), best, best+1), known)
		}
	case own:
		k.List = design.BOM(b, "")
	}
	if n := len(k.List.Lines); n > bom.MaxLines {
		k.List.Lines = nil
		k.Unread = append(k.Unread, Unread{k.List.File, lengthProblem(n)})
	}
	for _, l := range lists {
		if !k.Listed && !l.Positions {
			k.Unread = append(k.Unread, Unread{l.File, "fewer than a third of its designators are on this board"})
		}
	}
	slices.Sort(k.Files)
	k.Files = slices.Compact(k.Files)
	k.place(b, places, meant)
	k.Outlines = outlines(k)
	return k
}

// references are those of the board's own parts, folded.
func references(b *pcb.Board) map[string]bool {
	out := map[string]bool{}
	for i := range b.Components {
		if ref := b.Components[i].Ref; ref != "" && !strings.HasPrefix(ref, "#") {
			out[refdes.Fold(ref)] = true
		}
	}
	return out
}

func partRefs(l placement.List) []string {
	refs := make([]string, len(l.Parts))
	for i := range l.Parts {
		refs[i] = l.Parts[i].Ref
	}
	return refs
}

func refLists(lists []placement.List) [][]string {
	out := make([][]string, len(lists))
	for i, l := range lists {
		out[i] = partRefs(l)
	}
	return out
}

// mostly reports whether at least a third of refs are known: what is about
// another board of the upload shares a few by chance.
func mostly(refs []string, known map[string]bool) bool {
	n := 0
	for _, ref := range refs {
		if known[refdes.Fold(ref)] {
			n++
		}
	}
	return 3*n >= len(refs) && n > 0
}

// join takes more lists of the board: those of other designators, such as of the other
// side, are of the same list, and those that share some are kept to be compared.
func (k *Kit) join(lists []bom.List, known map[string]bool) {
	for _, l := range lists {
		refs, mine := refsOf(l), map[string]bool{}
		for _, ref := range refsOf(k.List) {
			mine[ref] = true
		}
		switch {
		case l.Positions || !mostly(refs, known):
		case slices.ContainsFunc(refs, func(ref string) bool { return mine[ref] }):
			k.Others = append(k.Others, l)
		default:
			k.List.Lines = slices.Concat(k.List.Lines, l.Lines)
			k.List.Notes = slices.Concat(k.List.Notes, l.Notes)
			k.Files = append(k.Files, l.File)
		}
	}
}

// refsOf are the designators of a list, folded.
func refsOf(l bom.List) []string {
	var out []string
	for i := range l.Lines {
		for _, ref := range l.Lines[i].Refs {
			out = append(out, refdes.Fold(ref))
		}
	}
	return out
}

// chooseList gives the index of the list with the most parts of the board. A placement file
// that may stand in for a list does so only where there is none.
func chooseList(lists []bom.List, known map[string]bool, boards int) (best int, ok bool) {
	most := [2]int{-1, -1}
	for at, l := range lists {
		matches, refs := 0, 0
		for i := range l.Lines {
			for _, ref := range l.Lines[i].Refs {
				refs++
				if known[refdes.Fold(ref)] {
					matches++
				}
			}
		}
		if len(known) > 0 && 3*matches < refs || len(known) == 0 && boards > 1 {
			continue
		}
		rank := [2]int{0, matches}
		if !l.Positions {
			rank[0] = 1
		}
		if rank[0] > most[0] || rank[0] == most[0] && (rank[1] > most[1] || rank[1] == most[1] && len(l.Lines) > len(lists[best].Lines)) {
			best, most, ok = at, rank, true
		}
	}
	return best, ok
}
