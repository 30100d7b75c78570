package cursor

import (
	"errors"
	"math"
	"testing"
	"time"

	"boardorder/pkg/projection"
)

func TestParseInvertsString(t *testing.T) {
	t.Parallel()
	for _, c := range []Cursor{{0, "a"}, {math.MinInt64, "x/y"}, {math.MaxInt64, "ü"}, {-1, "quote"}} {
		got, err := Parse(c.String())
		if got != c || err != nil {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", c.String(), got, err, c)
		}
	}
}

func TestTimeInvertsNanos(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{{}, time.Unix(0, 0).UTC(), time.Date(2026, 2, 3, 4, 5, 6, 789, time.UTC)} {
		if got := Time(Nanos(at)); !got.Equal(at) || got.IsZero() != at.IsZero() {
			t.Errorf("Time(Nanos(%v)) = %v, want the same", at, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("")
	f.Add(Cursor{1, "a"}.String())
	f.Add("LzE")
	f.Fuzz(func(t *testing.T, s string) {
		c, err := Parse(s)
		switch {
		case err != nil && !errors.Is(err, projection.ErrCursor):
			t.Errorf("Parse(%q) = %v", s, err)
		case err == nil && s != "" && c.String() != s:
			t.Errorf("Parse(%q) = %+v, which is written %q, want the same", s, c, c.String())
		}
	})
}
