package findings

import (
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"

	"github.com/google/go-cmp/cmp"
)

func TestSort(t *testing.T) {
	t.Parallel()
	primary, err := limits.Primary()
	if err != nil {
		t.Fatal(err)
	}
	must := func(check string) contract.Finding { return contract.Finding{Level: "must_fix", Check: check} }
	narrow := []boards.Measure{{Check: string(dfm.TrackWidth), Value: 120_000, Layer: "F.Cu"}} // enough for 1 oz, not for 3.5
	for name, tt := range map[string]struct {
		upload, own     []contract.Finding
		measures        []boards.Measure
		build           Build
		unread, missing []string
		stop, ok        []string
		fine            bool // too fine for rigid boards, of a flexible one
	}{
		"nothing":               {},
		"a warning":             {own: []contract.Finding{{Level: "note", Check: "a"}, {Level: "warning", Check: "b"}}, ok: []string{"b", "a"}},
		"a layer is missing":    {own: []contract.Finding{must("short"), must("layer_missing")}, missing: []string{"layer_missing"}, stop: []string{"short"}},
		"holes are missing":     {own: []contract.Finding{must("drill_missing")}, missing: []string{"drill_missing"}},
		"a board without holes": {own: []contract.Finding{{Level: "must_fix", Check: "drill_missing", Answers: []answers.Answer{answers.ZeroHoles()}}}, stop: []string{"drill_missing"}},
		"a mask is missing":     {own: []contract.Finding{{Level: "warning", Check: "layer_missing"}}, ok: []string{"layer_missing"}},
		"a short":               {own: []contract.Finding{must("short")}, stop: []string{"short"}},
		"cut off":               {own: []contract.Finding{must("files_unreadable"), must("short")}, unread: []string{"files_unreadable"}, stop: []string{"short"}},
		"cut off, of no board":  {upload: []contract.Finding{must("truncated")}, unread: []string{"truncated"}},
		"doubtful cut":          {upload: []contract.Finding{{Level: "note", Check: "file_empty"}}, ok: []string{"file_empty"}},
		"fine for 1 oz":         {measures: narrow, build: Build{Layers: 2, CopperOz: 1}},
		"too fine for 3.5 oz":   {measures: narrow, build: Build{Layers: 2, CopperOz: 3.5, Other: true}, stop: []string{"track_width"}},
		"broke for 3.5 oz, asked for 1": {
			own: []contract.Finding{must("track_width"), must("short")}, measures: narrow, build: Build{Layers: 2, CopperOz: 1, Other: true}, stop: []string{"short"},
		},
		"too fine, flexible":             {measures: narrow, build: Build{Layers: 2, CopperOz: 3.5, Flexible: true}, ok: []string{"track_width"}, fine: true},
		"too fine and a short, flexible": {own: []contract.Finding{must("short"), must("track_width")}, measures: narrow, build: Build{Layers: 2, CopperOz: 3.5, Flexible: true}, stop: []string{"short"}, ok: []string{"track_width"}, fine: true},
		"fine, flexible":                 {measures: narrow, build: Build{Layers: 2, CopperOz: 1, Flexible: true}},
		"cut by the edge, flexible":      {own: []contract.Finding{must("copper_to_edge")}, measures: []boards.Measure{{Check: string(dfm.CopperToEdge), Value: -1000}}, build: Build{Layers: 2, CopperOz: 1, Flexible: true}, stop: []string{"copper_to_edge"}},
		"said as it was held":            {own: []contract.Finding{must("track_width")}, measures: narrow, build: Build{Layers: 2, CopperOz: 1}, stop: []string{"track_width"}},
	} {
		s := Sort(tt.upload, boards.Board{Findings: tt.own, Measures: tt.measures}, tt.build, primary)
		checks := func(in []contract.Finding) (out []string) {
			for _, f := range in {
				out = append(out, f.Check)
			}
			return out
		}
		got := [][]string{checks(s.Unreadable), checks(s.Missing), checks(s.Stop), checks(s.Doubtful)}
		if diff := cmp.Diff([][]string{tt.unread, tt.missing, tt.stop, tt.ok}, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if s.FineFlex != tt.fine {
			t.Errorf("%s: people look at a flexible board %v, want %v", name, s.FineFlex, tt.fine)
		}
		if name == "too fine for 3.5 oz" && (len(s.Stop) != 1 || !strings.Contains(s.Stop[0].What, "0.12 mm is below") || s.Stop[0].Layer != "F.Cu") {
			t.Errorf("%s says %+v, want one stop, that 0.12 mm is below, on F.Cu", name, s.Stop)
		}
	}
}
