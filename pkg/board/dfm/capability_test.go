package dfm

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// offering is a fabricator's file with one offer and no figures.
func offering(offer string) string {
	return `{"version":1,"id":"x","name":"X","sources":{"s":{"title":"T","url":"https://example.com/a","checked":"2026-01-02"}},"offers":[` + offer + `],"figures":[]}`
}

func TestFiguresThatNobodyCanRelyOn(t *testing.T) {
	t.Parallel()
	const head = `{"version":1,"id":"x","name":"X","sources":{"s":{"title":"T","url":"https://example.com/a","checked":"2026-01-02"}},"offers":[],"figures":[`
	for name, c := range map[string]struct {
		data string
		ok   bool
	}{
		"fine":                {head + `{"check":"track_width","min":0.1,"source":"s"}]}`, true},
		"no source":           {head + `{"check":"track_width","min":0.1,"source":"?"}]}`, false},
		"mils for mm":         {head + `{"check":"track_width","min":5,"source":"s"}]}`, false},
		"said twice":          {head + `{"check":"track_width","min":0.1,"source":"s"},{"check":"track_width","min":0.2,"source":"s"}]}`, false},
		"milder than limit":   {head + `{"check":"track_width","min":0.2,"recommended":0.1,"source":"s"}]}`, false},
		"maximum":             {head + `{"check":"drill_maximum","min":6.3,"recommended":6,"source":"s"}]}`, true},
		"nothing said":        {head + `{"check":"track_width","source":"s"}]}`, false},
		"unknown word":        {head + `{"check":"track_width","minimum":0.1,"source":"s"}]}`, false},
		"no date":             {`{"version":1,"id":"x","name":"X","sources":{"s":{"title":"T","url":"https://example.com/a"}},"offers":[],"figures":[]}`, false},
		"not JSON":            {`{`, false},
		"as small as can be":  {head + `{"check":"track_width","min":0.02,"source":"s"}]}`, true},
		"smaller":             {head + `{"check":"track_width","min":0.019,"source":"s"}]}`, false},
		"as large as can be":  {head + `{"check":"track_width","min":2,"source":"s"}]}`, true},
		"larger":              {head + `{"check":"track_width","min":2.1,"source":"s"}]}`, false},
		"a ratio":             {head + `{"check":"aspect_ratio","min":50,"recommended":1,"source":"s"}]}`, true},
		"a ratio below one":   {head + `{"check":"aspect_ratio","min":0.9,"source":"s"}]}`, false},
		"a ratio above fifty": {head + `{"check":"aspect_ratio","min":51,"source":"s"}]}`, false},
		"the largest drill":   {head + `{"check":"drill_maximum","min":3,"source":"s"}]}`, true},
		"too small for it":    {head + `{"check":"drill_maximum","min":2.9,"source":"s"}]}`, false},
		"high letters":        {head + `{"check":"silk_height","min":3.1,"source":"s"}]}`, false},
		"a slot":              {head + `{"check":"npth_slot_width","min":5,"source":"s"}]}`, true},
		"a milder maximum":    {head + `{"check":"aspect_ratio","min":8,"recommended":10,"source":"s"}]}`, false},
		"alike":               {head + `{"check":"track_width","min":0.1,"recommended":0.1,"source":"s"}]}`, true},
		"recommended alone":   {head + `{"check":"track_width","recommended":0.1,"source":"s"}]}`, true},
		"inner and outer":     {head + `{"check":"track_width","where":"inner","min":0.1,"source":"s"},{"check":"track_width","where":"outer","min":0.1,"source":"s"}]}`, true},
		"another side":        {head + `{"check":"track_width","where":"top","min":0.1,"source":"s"}]}`, false},
		"another process":     {head + `{"check":"track_width","process":"cheap","min":0.1,"source":"s"}]}`, false},
		"layers upside down":  {head + `{"check":"track_width","layers":[4,2],"min":0.1,"source":"s"}]}`, false},
		"less than no copper": {head + `{"check":"track_width","up_to_oz":-1,"min":0.1,"source":"s"}]}`, false},
		"another version":     {strings.Replace(head, `"version":1`, `"version":2`, 1) + `]}`, false},
		"no name":             {strings.Replace(head, `"name":"X"`, `"name":""`, 1) + `]}`, false},
		"no address":          {strings.Replace(head, "https://example.com/a", "a", 1) + `]}`, false},
		"no title":            {strings.Replace(head, `"title":"T"`, `"title":""`, 1) + `]}`, false},
		"another day":         {strings.Replace(head, "2026-01-02", "2.1.2026", 1) + `]}`, false},
		"an offer":            {offering(`{"layers":[2,4],"copper_oz":[0.25,30],"thickness_mm":[0.4,2],"source":"s"}`), true},
		"an offer of none":    {offering(`{"layers":[0,4],"source":"s"}`), false},
		"an offer of 65":      {offering(`{"layers":[2,65],"source":"s"}`), false},
		"an offer without s":  {offering(`{"layers":[2,4],"source":"?"}`), false},
		"thin before thick":   {offering(`{"layers":[2,4],"thickness_mm":[2,0.4],"source":"s"}`), false},
		"two metres":          {offering(`{"layers":[2,4],"largest_mm":[1,2000],"source":"s"}`), true},
		"more than two":       {offering(`{"layers":[2,4],"largest_mm":[1,2001],"source":"s"}`), false},
		"thin foil":           {offering(`{"layers":[2,4],"inner_copper_oz":[0.24],"source":"s"}`), false},
		"thick foil":          {offering(`{"layers":[2,4],"copper_oz":[31],"source":"s"}`), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := ReadCapability([]byte(c.data)); (err == nil) != c.ok {
				t.Errorf("ReadCapability(%s): error %v, want fine: %v", c.data, err, c.ok)
			}
		})
	}
}

// TestLimits: which of several figures holds for a build: that of its process and side, and of
// the least copper that suffices.
func TestLimits(t *testing.T) {
	t.Parallel()
	const um = 1000
	general := Figure{Check: TrackWidth, Min: 0.2}
	for _, c := range []struct {
		name         string
		figures      []Figure
		build        Build
		outer, inner Limit // inner where it differs
	}{
		{"one for all", []Figure{general}, Build{}, Limit{Min: 200 * um}, Limit{}},
		{"with what is recommended", []Figure{{Check: TrackWidth, Min: 0.1, Recommended: 0.15}}, Build{}, Limit{100 * um, 150 * um}, Limit{}},
		{"the inner side alone", []Figure{general, {Check: TrackWidth, Where: "inner", Min: 0.1}}, Build{}, Limit{Min: 200 * um}, Limit{Min: 100 * um}},
		{"the outer side alone", []Figure{{Check: TrackWidth, Where: "outer", Min: 0.1}}, Build{}, Limit{Min: 100 * um}, Limit{}},
		{"of as much copper", []Figure{general, {Check: TrackWidth, UpToOz: 1, Min: 0.1}}, Build{CopperOz: 1}, Limit{Min: 100 * um}, Limit{}},
		{"of less copper", []Figure{general, {Check: TrackWidth, UpToOz: 1, Min: 0.1}}, Build{CopperOz: 1.01}, Limit{Min: 200 * um}, Limit{Min: 100 * um}},
		{"the least copper that suffices", []Figure{{Check: TrackWidth, UpToOz: 3, Min: 0.3}, {Check: TrackWidth, UpToOz: 2, Min: 0.2}}, Build{CopperOz: 2, InnerOz: 2}, Limit{Min: 200 * um}, Limit{}},
		{"of these layers", []Figure{general, {Check: TrackWidth, Layers: [2]int{4, 8}, Where: "outer", Min: 0.1}}, Build{Layers: 8}, Limit{Min: 100 * um}, Limit{Min: 200 * um}},
		{"of other layers", []Figure{general, {Check: TrackWidth, Layers: [2]int{4, 8}, Min: 0.1}}, Build{Layers: 9}, Limit{Min: 200 * um}, Limit{}},
		{"two layers where none are said", []Figure{{Check: TrackWidth, Layers: [2]int{2, 2}, Min: 0.1}}, Build{}, Limit{Min: 100 * um}, Limit{}},
		{"both processes", []Figure{{Check: TrackWidth, Process: StandardProcess, Min: 0.15}, {Check: TrackWidth, Process: AdvancedProcess, Min: 0.1}}, Build{}, Limit{100 * um, 150 * um}, Limit{}},
		{"the standard process", []Figure{{Check: TrackWidth, Process: StandardProcess, Min: 0.15}, {Check: TrackWidth, Process: AdvancedProcess, Min: 0.1}}, Build{Process: StandardProcess}, Limit{Min: 150 * um}, Limit{}},
		{"what only the advanced process can", []Figure{{Check: TrackWidth, Process: AdvancedProcess, Min: 0.1}}, Build{Process: StandardProcess}, Limit{}, Limit{}},
		{"a recommendation of the advanced process", []Figure{{Check: TrackWidth, Process: StandardProcess, Min: 0.2}, {Check: TrackWidth, Process: AdvancedProcess, Min: 0.1, Recommended: 0.12}}, Build{}, Limit{100 * um, 120 * um}, Limit{}},
		{"nothing", nil, Build{}, Limit{}, Limit{}},
	} {
		l := (&Capability{Figures: c.figures}).Limits(c.build)
		if diff := cmp.Diff([2]Limit{c.outer, c.inner}, [2]Limit{l.Outer[TrackWidth], l.Inner[TrackWidth]}); diff != "" {
			t.Errorf("%s: limits of %+v for %+v (-want +got):\n%s", c.name, c.figures, c.build, diff)
		}
		inner := c.inner
		if inner == (Limit{}) {
			inner = c.outer
		}
		if got := l.LimitOf(TrackWidth, true); got != inner && c.name != "the outer side alone" {
			t.Errorf("%s: the inner limit is %+v, want %+v", c.name, got, inner)
		}
		more := &Capability{Figures: append([]Figure{{Check: AspectRatio, Min: 10}}, c.figures...)}
		if diff := cmp.Diff(l, more.Limits(c.build, TrackWidth)); diff != "" {
			t.Errorf("%s: limits of track widths alone by %+v (-want +got):\n%s", c.name, more.Figures, diff)
		}
	}
}

// TestLimitsOfOffers: the largest board and the thickest that are offered for a layer count; a
// ratio is in thousandths.
func TestLimitsOfOffers(t *testing.T) {
	t.Parallel()
	const mm = 1_000_000
	c := Capability{
		Offers:  []Offer{{Layers: [2]int{1, 2}, LargestMM: [2]float64{400, 500}, ThicknessMM: [2]float64{0.4, 2.4}}, {Layers: [2]int{4, 8}}},
		Figures: []Figure{{Check: AspectRatio, Min: 12, Recommended: 8}},
	}
	ratio := Limit{Min: 12_000, Recommended: 8_000}
	for layers, want := range map[int]map[Name]Limit{
		2: {BoardWidth: {Min: 400 * mm}, BoardLength: {Min: 500 * mm}, BoardThickness: {Min: 2_400_000}, AspectRatio: ratio},
		4: {AspectRatio: ratio},
		3: {AspectRatio: ratio},
	} {
		if diff := cmp.Diff(want, c.Limits(Build{Layers: layers}).Outer); diff != "" {
			t.Errorf("limits of %d layers by %+v (-want +got):\n%s", layers, c.Offers, diff)
		}
	}
	for layers, want := range map[int]bool{0: false, 1: true, 2: true, 3: false, 4: true, 8: true, 9: false} {
		if _, got := c.Offer(layers); got != want {
			t.Errorf("%d layers are offered by %+v: %v, want %v", layers, c.Offers, got, want)
		}
	}
}

// TestBreaksLimits: what a computed length may miss its limit by, and a ratio its own.
func TestBreaksLimits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		check        Name
		value, limit int64
		want         bool
	}{
		{TrackWidth, 100_000, 100_000, false},
		{TrackWidth, 98_800, 100_000, false},
		{TrackWidth, 98_799, 100_000, true},
		{TrackWidth, 200_000, 100_000, false},
		{TrackWidth, -1, 0, false},
		{DrillMaximum, 6_301_200, 6_300_000, false},
		{DrillMaximum, 6_301_201, 6_300_000, true},
		{DrillMaximum, 100_000, 6_300_000, false},
		{AspectRatio, 8_000, 8_000, false},
		{AspectRatio, 8_010, 8_000, false},
		{AspectRatio, 8_011, 8_000, true},
		{AspectRatio, 9_000, 8_000, true},
		{AspectRatio, 9_000, 0, false},
		{BoardWidth, 400_002_000, 400_000_000, true},
	} {
		if got := c.check.Breaks(c.value, c.limit); got != c.want {
			t.Errorf("%s of %d breaks a limit of %d: %v, want %v", c.check, c.value, c.limit, got, c.want)
		}
	}
}

// TestTight: values that leave half of the margin that a limit keeps.
func TestTight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		check        Name
		value, limit int64
		want         bool
	}{
		{AnnularRing, 99_000, 100_000, true}, {AnnularRing, 50_000, 100_000, true}, {AnnularRing, 48_800, 100_000, true}, {AnnularRing, 48_799, 100_000, false}, {AnnularRing, 0, 1_000, false},
		{AnnularRing, -1, 1_000, false}, {HoleToHole, 150_000, 200_000, true}, {TrackWidth, 99_000, 100_000, false}, {DrillSize, 99_000, 100_000, false},
	} {
		if got := c.check.Tight(c.value, c.limit); got != c.want {
			t.Errorf("%s of %d is tight by a limit of %d: %v, want %v", c.check, c.value, c.limit, got, c.want)
		}
	}
}

// TestNearest: the closest value of a list within the slack.
func TestNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v     float64
		built []float64
		slack float64
		want  float64
	}{
		{1.5, []float64{1, 2}, 0.5, 2}, {1.4, []float64{1, 2}, 0.5, 1}, {1.5, []float64{1, 2}, 0.4, 1.5}, {1.25, []float64{1}, 0.25, 1}, {1, []float64{1, 1.1}, 0.5, 1}, {3, nil, 9, 3},
	} {
		if got := Nearest(c.v, c.built, c.slack); got != c.want {
			t.Errorf("Nearest(%v, %v, %v) = %v, want %v", c.v, c.built, c.slack, got, c.want)
		}
	}
}

// TestNamesHaveWords: every check has words of its own for people, and a level its name.
func TestNamesHaveWords(t *testing.T) {
	t.Parallel()
	reported := map[string]Name{}
	for _, n := range Names() {
		w := n.Words()
		if other, twice := reported[w]; twice || w == "" || w == string(n) {
			t.Errorf("words of %s are %q, those of %q too; want some of its own", n, w, other)
		}
		reported[w] = n
	}
	for level, want := range map[Level]string{Note: "note", Warning: "warning", MustFix: "must_fix", 9: "must_fix"} {
		if got := level.String(); got != want {
			t.Errorf("level %d is %q, want %q", level, got, want)
		}
	}
}

// TestAddPractice: what fabricators commonly give stands in for what one does not publish,
// with its source, and for nothing that it does.
func TestAddPractice(t *testing.T) {
	t.Parallel()
	own := Figure{Check: CopperSliver, UpToOz: 1, Min: 0.07, Source: "own"}
	c := &Capability{
		Version: formatVersion, ID: "a", Name: "A", Figures: []Figure{own},
		Sources: map[string]Source{"own": {Title: "Own", URL: "https://a.example", Checked: "2026-01-02"}},
	}
	c.AddPractice()
	if err := c.validate(); err != nil {
		t.Errorf("the figures of practice: %v", err)
	}
	want := []Figure{own}
	for _, n := range Names() {
		if f := checks[n].practice; f != (Figure{}) && n != CopperSliver {
			want = append(want, Figure{Check: n, Min: f.Min, Recommended: f.Recommended, Source: "practice"})
		}
	}
	if !slices.Equal(c.Figures, want) || len(want) < 2 {
		t.Errorf("figures with those of practice are %+v, want %+v", c.Figures, want)
	}
	if got, want := c.Limits(Build{}).LimitOf(AspectRatio, false), (Limit{Min: 12_000, Recommended: 8000}); got != want {
		t.Errorf("%s has the limit %+v, want %+v", AspectRatio, got, want)
	}
}
