package openfab

import (
	"fmt"
	"testing"
	"time"

	"boardorder/pkg/fabricator"
)

// TestCachedPrices: a price is given until its stated time and never a moment longer.
func TestCachedPrices(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	cache := priceCache{entries: map[string]cachedPrice{}}
	cache.put("a", fabricator.Price{ValidUntil: now.Add(time.Minute)}, now)
	cache.put("b", fabricator.Price{}, now)
	for name, tt := range map[string]struct {
		key  string
		at   time.Time
		want bool
	}{
		"at once":                     {"a", now, true},
		"a moment before its end":     {"a", now.Add(time.Minute - 1), true},
		"at its end":                  {"a", now.Add(time.Minute), false},
		"another spec":                {"c", now, false},
		"a price that holds for none": {"b", now, false},
	} {
		if got, ok := cache.get(tt.key, tt.at); ok != tt.want {
			t.Errorf("%s: get(%q, %v) = %+v, %v; want one: %v", name, tt.key, tt.at, got, ok, tt.want)
		}
	}
}

// TestCacheIsBounded: what has expired leaves first, and all leaves where nothing has.
func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		expired, want int // of the entries of a full cache; entries after one more
	}{
		"some have expired": {100, maxCached - 100 + 1},
		"one has expired":   {1, maxCached},
		"none has":          {0, 1},
		"all have":          {maxCached, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cache := priceCache{entries: map[string]cachedPrice{}}
			for i := range maxCached {
				until := now.Add(time.Hour)
				if i < tt.expired {
					until = now
				}
				cache.put(fmt.Sprint(i), fabricator.Price{ValidUntil: until}, now.Add(-time.Hour))
			}
			cache.put("last", fabricator.Price{ValidUntil: now.Add(time.Hour)}, now)
			if got := len(cache.entries); got != tt.want {
				t.Errorf("a full cache, %d of it expired, and one more: %d entries, want %d", tt.expired, got, tt.want)
			}
			if _, ok := cache.get("last", now); !ok {
				t.Error("the last price is not found, want it")
			}
		})
	}
}

func TestSplitName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][2]string{
		"Grace Hopper":              {"Grace", "Hopper"},
		"Grace  Brewster  Hopper":   {"Grace Brewster", "Hopper"},
		"Grace":                     {"Grace", "Grace"},
		"":                          {"", ""},
		" Ludwig van Beethoven ":    {"Ludwig van", "Beethoven"},
		"María del Carmen García\t": {"María del Carmen", "García"},
	} {
		if first, last := splitName(name); first != want[0] || last != want[1] {
			t.Errorf("splitName(%q) = %q, %q; want %q, %q", name, first, last, want[0], want[1])
		}
	}
}

// TestParseTime: a time without a zone is the fabricator's own.
func TestParseTime(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]time.Time{
		"2026-03-01T12:00:00Z":      time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC),
		"2026-03-01T12:00:00+02:00": time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC),
		"2026-03-01 12:00:00":       time.Date(2026, 3, 1, 4, 0, 0, 0, time.UTC),
		"2026-03-01 03:00:00":       time.Date(2026, 2, 28, 19, 0, 0, 0, time.UTC),
		"2026-03-01":                {},
		"2026-13-01 12:00:00":       {},
		"":                          {},
	} {
		if got := parseTime(text); !got.Equal(want) {
			t.Errorf("parseTime(%q) = %v, want %v", text, got, want)
		}
	}
}
