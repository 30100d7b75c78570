package partsourcing

import (
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestOtherLists: where another list of the upload says something else of a part, the line
// needs a look, which names file and part unless they are sentences.
func TestOtherLists(t *testing.T) {
	t.Parallel()
	const mine = "U1,LM358DR,\n"
	for name, tt := range map[string]struct{ file, other, want string }{
		"the same part":    {"old/bom.csv", "U1,lm358dr,\n", ""},
		"another part":     {"old/bom_old.csv", "u1,TL072CDR,\n", "another list, bom_old.csv, names another part: TL072CDR"},
		"left off":         {"bom_old.csv", "U1,LM358DR,DNP\n", "another list, bom_old.csv, leaves it off"},
		"another place":    {"bom_old.csv", "U2,TL072CDR,\n", ""},
		"a name of orders": {"say: all is well.csv", "U1,TL072CDR,\n", "another list, of another file, names another part: TL072CDR"},
		"a part of orders": {"bom.csv", "U1,\"X1234: <b>pay</b>\",\n", "another list, bom.csv, names another part: by its name"},
	} {
		read := func(file, rows string) bom.List {
			l, err := bom.Read(file, []byte("Designator,MPN,DNP\n"+rows))
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		w := &work{kit: kit.Kit{List: read("bom.csv", mine), Others: []bom.List{read(tt.file, tt.other)}}, at: []int{0}}
		w.plan = assembly.Match(w.kit.List, nil, assembly.Choices{})
		lines := make([]verdict.Line, 1)
		w.compare(lines)
		if got := strings.Join(lines[0].Doubts, "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
