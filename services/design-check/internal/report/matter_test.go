package report

import (
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"

	"github.com/google/go-cmp/cmp"
)

func TestMatters(t *testing.T) {
	t.Parallel()
	finding := func(level string, check dfm.Name, count int) designchecks.Finding {
		return designchecks.Finding{Finding: contract.Finding{Level: level, Check: string(check)}, Count: count}
	}
	for name, tt := range map[string]struct {
		in   []designchecks.Finding
		want []matter
	}{
		"nothing": {nil, nil},
		"notes alone": {[]designchecks.Finding{finding("note", dfm.AcidTrap, 3)}, []matter{
			{"fails", "Would make the board fail", "nothing that was found.", nil}, {"costs", "May cost money or boards", "nothing that was found.", nil},
			{"stays", "May stay as it is", dfm.AcidTrap.Words() + " (3 places).", []int{1}},
		}},
		"all kinds": {[]designchecks.Finding{
			finding("must_fix", dfm.Short, 2), finding("must_fix", dfm.Open, 1), finding("warning", dfm.AnnularRing, 5), finding("warning", dfm.AnnularRing, 6),
			finding("warning", dfm.SilkWidth, 40), finding("note", dfm.TrackWidth, 1),
		}, []matter{
			{"fails", "Would make the board fail", "shorts (2 places), open nets (1 place).", []int{1, 2}},
			{"costs", "May cost money or boards", "annular rings (11 places).", []int{3, 4}},
			{"stays", "May stay as it is", "line widths of the silkscreen (40 places), track widths (1 place).", []int{5, 6}},
		}},
		"very many kinds": {[]designchecks.Finding{
			finding("must_fix", dfm.Short, 1), finding("must_fix", dfm.Open, 1), finding("must_fix", dfm.DrillSize, 1), finding("must_fix", dfm.SlotWidth, 1), finding("must_fix", dfm.HoleToHole, 1),
		}, []matter{
			{"fails", "Would make the board fail", "shorts (1 place), open nets (1 place), sizes of drills (1 place), widths of slots (1 place), 1 more.", []int{1, 2, 3, 4, 5}},
			{"costs", "May cost money or boards", "nothing that was found.", nil}, {"stays", "May stay as it is", "nothing else was found.", nil},
		}},
	} {
		if diff := cmp.Diff(tt.want, matters(tt.in)); diff != "" {
			t.Errorf("%s: matters(%+v) (-want +got):\n%s", name, tt.in, diff)
		}
	}
}
