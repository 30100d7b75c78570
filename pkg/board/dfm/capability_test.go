package dfm

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

const um = geom.Micrometre

func TestStandardLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		layers int
		oz     float64
		check  Name
		inner  bool
		want   Limit
	}{
		"two layers":                      {2, 1, TrackWidth, false, Limit{100 * um, 127 * um}},
		"the usual copper when not said":  {2, 0, TrackWidth, false, Limit{100 * um, 127 * um}},
		"heavy copper":                    {2, 2, TrackWidth, false, Limit{Min: 160 * um}},
		"between two weights":             {2, 3, TrackClearance, false, Limit{Min: 250 * um}},
		"heavier than published":          {4, 3, TrackClearance, false, Limit{}},
		"four layers":                     {4, 1, TrackClearance, false, Limit{Min: 90 * um}},
		"inner layers keep their copper":  {4, 2, TrackClearance, true, Limit{Min: 90 * um}},
		"ring of two layers":              {2, 1, AnnularRing, false, Limit{180 * um, 250 * um}},
		"ring of four layers":             {4, 1, AnnularRing, false, Limit{150 * um, 200 * um}},
		"small drills cost more":          {2, 1, DrillSize, false, Limit{150 * um, 200 * um}},
		"one layer is drilled with ease":  {1, 1, DrillSize, false, Limit{Min: 300 * um}},
		"a limit for every copper weight": {2, 4.5, CopperToEdge, false, Limit{Min: 200 * um}},
		"board of six layers":             {6, 1, BoardLength, false, Limit{Min: 656 * geom.Millimetre}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d := cmp.Diff(c.want, Standard(c.layers, c.oz).Of(c.check, c.inner)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestProcessWithoutExtraCharge(t *testing.T) {
	t.Parallel()
	c, err := Primary()
	if err != nil {
		t.Fatal(err)
	}
	got := c.Limits(Build{Layers: 4, Process: StandardProcess}).Of(DrillSize, false)
	if d := cmp.Diff(Limit{Min: 200 * um}, got); d != "" {
		t.Error(d)
	}
}

func TestFiguresThatNobodyCanRelyOn(t *testing.T) {
	t.Parallel()
	const head = `{"version":1,"id":"x","name":"X","sources":{"s":{"title":"T","url":"https://example.com/a","checked":"2026-01-02"}},"offers":[],"figures":[`
	for name, c := range map[string]struct {
		data string
		ok   bool
	}{
		"fine":              {head + `{"check":"track_width","min":0.1,"source":"s"}]}`, true},
		"no source":         {head + `{"check":"track_width","min":0.1,"source":"?"}]}`, false},
		"mils for mm":       {head + `{"check":"track_width","min":5,"source":"s"}]}`, false},
		"said twice":        {head + `{"check":"track_width","min":0.1,"source":"s"},{"check":"track_width","min":0.2,"source":"s"}]}`, false},
		"milder than limit": {head + `{"check":"track_width","min":0.2,"recommended":0.1,"source":"s"}]}`, false},
		"maximum":           {head + `{"check":"drill_maximum","min":6.3,"recommended":6,"source":"s"}]}`, true},
		"nothing said":      {head + `{"check":"track_width","source":"s"}]}`, false},
		"unknown word":      {head + `{"check":"track_width","minimum":0.1,"source":"s"}]}`, false},
		"no date":           {`{"version":1,"id":"x","name":"X","sources":{"s":{"title":"T","url":"https://example.com/a"}},"offers":[],"figures":[]}`, false},
		"not JSON":          {`{`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := ReadCapability([]byte(c.data)); (err == nil) != c.ok {
				t.Errorf("error %v, want fine: %v", err, c.ok)
			}
		})
	}
}
