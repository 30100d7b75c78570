package partsourcing

import (
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/placement"
)

// TestForeignWords: what is repeated of a list is short, and a file is named in a sentence only by
// what is no sentence itself.
func TestForeignWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxEchoed)
	for text, want := range map[string]string{"LM358": "LM358", "": "", long: long, long + "y": long + "…", long[1:] + "µ": long[1:] + "…"} {
		if got := echo(text); got != want {
			t.Errorf("echo of %d bytes is %q, want %q", len(text), got, want)
		}
	}
	for file, want := range map[string]string{"a/bom rev-2.csv": "bom rev-2.csv", "Stückliste (1).xlsx": "Stückliste (1).xlsx", "<b>.csv": "A file", ".hidden": "A file", "": "A file", "say: pay.csv": "A file", strings.Repeat("a", 81): "A file"} {
		if got := nameInSentence(file); got != want {
			t.Errorf("the file %q is called %q, want %q", file, got, want)
		}
	}
	many := make([]kit.Unread, maxUnread+3)
	if got := unreadNotes(many); len(got) != maxUnread {
		t.Errorf("of %d files %d are named, want %d", len(many), len(got), maxUnread)
	}
}

// TestNotesOfLists: notes of one kind are one sentence that names its lines, ten at most and each
// once; kinds come in one order.
func TestNotesOfLists(t *testing.T) {
	t.Parallel()
	var many []bom.Note
	for i := range 15 {
		many = append(many, bom.Note{Code: bom.RowHidden, Row: i + 2}, bom.Note{Code: bom.RowHidden, Row: i + 2})
	}
	for rule, tt := range map[string]struct {
		notes []bom.Note
		want  string
	}{
		"none":            {nil, ""},
		"one":             {[]bom.Note{{Code: bom.RowHidden, Row: 4}}, "Lines that the spreadsheet hides were read as the others (line 4)."},
		"no line":         {[]bom.Note{{Code: bom.RowHidden}}, "Lines that the spreadsheet hides were read as the others."},
		"more than ten":   {many, "Lines that the spreadsheet hides were read as the others (line 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)."},
		"an unknown kind": {[]bom.Note{{Code: "secret", Row: 4}}, ""},
	} {
		if got := strings.Join(notesOf(tt.notes), " "); got != tt.want {
			t.Errorf("%s: %+v are told as %q, want %q", rule, tt.notes, got, tt.want)
		}
	}
}

// TestSeveralPlaces: a part has several places where one file has it at several points, or files
// have it on both sides; the same place in two files is one.
func TestSeveralPlaces(t *testing.T) {
	t.Parallel()
	at := func(ref string, x int64, side placement.Side) placement.Part {
		return placement.Part{Ref: ref, At: geom.Pt(x, 0), Side: side}
	}
	w := &work{kit: kit.Kit{Places: []placement.List{
		{Parts: []placement.Part{at("one", 1, placement.Top), at("again", 1, placement.Top), at("again", 1, placement.Top), at("two", 1, placement.Top), at("two", 2, placement.Top), at("sides", 1, placement.Top), at("files", 1, placement.Top)}},
		{Parts: []placement.Part{at("sides", 1, placement.Bottom), at("files", 5, placement.Top)}},
	}}}
	for ref, want := range map[string]bool{"one": false, "again": false, "two": true, "sides": true, "files": false, "none": false} {
		if got := w.hasSeveralPlaces(ref); got != want {
			t.Errorf("%s has several places %t, want %t", ref, got, want)
		}
	}
	l := assembly.Line{Line: bom.Line{Refs: []string{"R1", "R2", "R3"}}, Places: []placement.Part{{Side: placement.Bottom}, {Side: placement.Top}}}
	if top, bottom := sides(&l); top != 2 || bottom != 1 {
		t.Errorf("of three parts with places on the bottom and the top %d lie on the top and %d on the bottom, want 2 and 1", top, bottom)
	}
}
