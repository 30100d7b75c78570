package shipping_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"boardorder/pkg/dated"
	"boardorder/pkg/destination"
	"boardorder/services/pricing/internal/shipping"
)

const today = dated.Day("2026-11-21")

func load(t *testing.T) *shipping.Table {
	t.Helper()
	table, err := shipping.Load(nil)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func TestEveryCountryIsServed(t *testing.T) {
	t.Parallel()
	book, err := destination.Load()
	if err != nil {
		t.Fatal(err)
	}
	table := load(t)
	for _, code := range book.Codes() {
		options, err := table.Options(code, 800, today)
		if err != nil {
			t.Errorf("Options(%s) of 800 g on %s: %v", code, today, err)
			continue
		}
		usual := 0
		for _, o := range options {
			if o.Usual {
				usual++
			}
		}
		if usual != 1 || len(options) < 2 {
			t.Errorf("%s: %d ways, %d of them the usual one; want 2 at least, one", code, len(options), usual)
		}
	}
}

func TestOptionsRiseWithWeightAndAreSorted(t *testing.T) {
	t.Parallel()
	table := load(t)
	last := map[string]int64{}
	for grams := int64(100); grams <= 19_900; grams += 100 {
		options, err := table.Options("US", grams, today)
		if err != nil {
			t.Fatal(err)
		}
		for i, o := range options {
			if o.Cents < last[o.ID] {
				t.Errorf("%s: %d g cost %d, less than a lighter parcel's %d", o.ID, grams, o.Cents, last[o.ID])
			}
			last[o.ID] = o.Cents
			if i > 0 && o.Cents < options[i-1].Cents {
				t.Errorf("%d g: %s is dearer than the one behind it", grams, options[i-1].ID)
			}
		}
	}
}

func sampleTables() fstest.MapFS {
	return fstest.MapFS{
		"zones.csv": {Data: []byte("country,zone\nUS,us\n")},
		"services.csv": {Data: []byte("id,zone,carrier,service,base_cents,step_grams,step_cents,fuel_percent,max_grams,days_min,days_max,usual,valid_from,valid_to,source,checked,certainty,note\n" +
			"post,us,Post,parcel,1000,500,200,10,2000,7,9,yes,2026-01-01,2026-12-31,contract,2026-11-21,confirmed,\n")},
		"clearance.csv": {Data: []byte("country,min_cents,percent,valid_from,valid_to,source,checked,certainty,note\n" +
			"US,1000,5,2026-01-01,,contract,2026-11-21,confirmed,\n*,500,2,2026-01-01,,contract,2026-11-21,confirmed,\n")},
	}
}

func TestSteps(t *testing.T) {
	t.Parallel()
	table, err := shipping.Read(sampleTables())
	if err != nil {
		t.Fatal(err)
	}
	for grams, want := range map[int64]int64{0: 1100, 500: 1100, 501: 1320, 1000: 1320, 1001: 1540, 2000: 1760} {
		options, err := table.Options("US", grams, today)
		if err != nil || options[0].Cents != want {
			t.Errorf("%d g: %+v, %v; want %d", grams, options, err, want)
		}
	}
	for name, ask := range map[string]func() ([]shipping.Option, error){
		"too heavy":   func() ([]shipping.Option, error) { return table.Options("US", 2001, today) },
		"no zone":     func() ([]shipping.Option, error) { return table.Options("DE", 100, today) },
		"out of date": func() ([]shipping.Option, error) { return table.Options("US", 100, "2027-01-01") },
	} {
		if got, err := ask(); !errors.Is(err, shipping.ErrNoService) {
			t.Errorf("%s: Options = %+v, %v; want %v", name, got, err, shipping.ErrNoService)
		}
	}
}

func TestClearance(t *testing.T) {
	t.Parallel()
	table, err := shipping.Read(sampleTables())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		country        string
		advanced, want int64
	}{{"US", 0, 0}, {"US", 100, 1000}, {"US", 100_000, 5000}, {"DE", 100, 500}, {"DE", 100_000, 2000}} {
		if got := table.Clearance(tt.country, tt.advanced, today); got != tt.want {
			t.Errorf("Clearance(%s, %d) = %d, want %d", tt.country, tt.advanced, got, tt.want)
		}
	}
}

func TestReadNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ file, old, change, want string }{
		{"services.csv", "7,9", "9,7", "services.csv line 2, column days_max"},
		{"services.csv", ",500,", ",0,", "column step_grams"},
		{"clearance.csv", "1000", "x", "clearance.csv line 2, column min_cents"},
		{"zones.csv", "US,us\n", "US,us\nUS,ca\n", "zones.csv line 3, column country"},
	} {
		folder := sampleTables()
		folder[tt.file].Data = []byte(strings.Replace(string(folder[tt.file].Data), tt.old, tt.change, 1))
		if _, err := shipping.Read(folder); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s with %q: %v, want it to say %q", tt.file, tt.change, err, tt.want)
		}
		delete(folder, tt.file)
		if _, err := shipping.Read(folder); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("without %s: %v", tt.file, err)
		}
	}
}
