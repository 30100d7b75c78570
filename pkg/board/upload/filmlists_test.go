package upload_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

// TestFilmLists: a list in the notes says which of the files that are numbered like copper are
// films and stiffeners; without one the number of layers that the notes state can be answered.
func TestFilmLists(t *testing.T) {
	t.Parallel()
	copper := uploads.Gerber("", "5,5", "10,5", "15,5", "5,5 15,5")
	layers := uploads.Set{"x-F_Cu.gbr": "", "x-B_Cu.gbr": "", "x-F_Mask.gbr": "", "x-B_Mask.gbr": "", "x_L1.pho": uploads.Gerber("", "5,5", "15,5"), "x_L2.pho": copper, "x_L3.pho": uploads.Gerber("", uploads.OutlineLines...), "x_L4.pho": uploads.Gerber("", "1,1 4,1", "4,1 4,4")}
	list := func(lines ...string) string { return "Board Copper Layers: 1\n\n" + strings.Join(lines, "\n") + "\n" }
	for name, c := range map[string]struct {
		readme string
		copper string // the files of the copper, top first
		asks   bool
	}{
		"films and stiffeners":        {list("x_L1.PHO\t\tLAYER 1 (POLYIMIDE TOP COVER - i.e. SOLDERMASK)", "x_L2.PHO\t\tLAYER 2 (COPPER)", "x_L3.PHO\t\tLAYER 3 (POLYIMIDE SUBSTRATE)", "x_L4.PHO\t\tLAYER 4 (FR4 STIFFENERS)"), "x_L2.pho", false},
		"copper under another word":   {list("x_L1.PHO  top signal, under the cover", "x_L2.PHO  ground", "x_L3.PHO  power", "x_L4.PHO  bottom signal"), "x_L1.pho x_L2.pho x_L3.pho x_L4.pho", true},
		"too few files to be a list":  {list("x_L1.PHO  top cover", "x_L4.PHO  stiffener"), "x_L1.pho x_L2.pho x_L3.pho x_L4.pho", true},
		"no list":                     {list(), "x_L1.pho x_L2.pho x_L3.pho x_L4.pho", true},
		"a list of other files":       {list("y_L1.PHO  top cover", "y_L2.PHO  copper", "y_L3.PHO  stiffener"), "x_L1.pho x_L2.pho x_L3.pho x_L4.pho", true},
		"words that come before them": {list("top cover: x_L1.PHO", "copper: x_L2.PHO", "stiffener: x_L4.PHO"), "x_L1.pho x_L2.pho x_L3.pho x_L4.pho", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := uploads.Ordinary().Merge(layers).Merge(uploads.Set{"readme.txt": c.readme}).Files()
			read := func(fileAnswers *answers.FileAnswers) (*pcb.Board, string) {
				p := upload.Read(t.Context(), files, upload.Options{Answers: fileAnswers})
				if len(p.Boards) != 1 || len(p.Refused) > 0 {
					t.Fatalf("%d boards, refused %+v; want one, nothing", len(p.Boards), p.Refused)
				}
				var names []string
				for _, l := range p.Boards[0].Copper() {
					names = append(names, l.File)
				}
				if f := uploads.FindingOf(p, "layer_count_mismatch"); (f != nil) != (fileAnswers == nil && c.asks) || f != nil && len(f.Answers) != 2 {
					t.Errorf("layer_count_mismatch is %+v; want it asked with two answers: %v", f, fileAnswers == nil && c.asks)
				}
				return p.Boards[0], strings.Join(names, " ")
			}
			b, got := read(nil)
			if got != c.copper {
				t.Errorf("copper %q, want %q", got, c.copper)
			}
			if masks := b.Find(pcb.RoleMask, pcb.Top); !c.asks && (len(masks) != 1 || masks[0].File != "x_L1.pho") {
				t.Errorf("masks at the top %+v, want x_L1.pho", masks)
			}
			if c.asks {
				const want = "x_L2.pho"
				if _, got := read(&answers.FileAnswers{LeaveOut: []string{"x_L1.pho", "x_L3.pho", "x_L4.pho"}, LayerOrder: []string{want}}); got != want {
					t.Errorf("answered: copper %q, want %q", got, want)
				}
			}
		})
	}
}
