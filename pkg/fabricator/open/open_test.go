package open_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/fabricator/open"
	"boardorder/pkg/fabricator/openfab"
	"boardorder/pkg/fabricator/tariff"

	"github.com/caarlos0/env/v11"
	"github.com/google/go-cmp/cmp"
)

// parse reads the rows of an environment.
func parse(t *testing.T, vars map[string]string) open.Rows {
	t.Helper()
	type config struct {
		Fabricators open.Rows `envPrefix:"FABRICATOR"`
	}
	got, err := env.ParseAsWithOptions[config](env.Options{Environment: vars})
	if err != nil {
		t.Fatalf("%v: %v", vars, err)
	}
	return got.Fabricators
}

// TestRowsOfTheEnvironment: any number of fabricators, each with the settings of its own
// interface, in the order of their numbers.
func TestRowsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	rows := parse(t, map[string]string{
		"FABRICATOR_0_NAME": "far_east", "FABRICATOR_0_INTERFACE": "openfab", "FABRICATOR_0_URL": "https://a.example",
		"FABRICATOR_0_APP_ID": "i", "FABRICATOR_0_ACCESS_KEY": "k", "FABRICATOR_0_SECRET_KEY": "s",
		"FABRICATOR_1_NAME": "house", "FABRICATOR_1_INTERFACE": "tariff", "FABRICATOR_1_COUNTRY": "DE", "FABRICATOR_1_WAIT": "3s",
		"FABRICATOR_2_NAME": "far_west", "FABRICATOR_2_INTERFACE": "openfab", "FABRICATOR_2_URL": "https://b.example", "FABRICATOR_2_COUNTRY": "US",
		"FABRICATOR_2_APP_ID": "i", "FABRICATOR_2_ACCESS_KEY": "k", "FABRICATOR_2_SECRET_KEY": "s", "FABRICATOR_2_CALLS_PER_SECOND": "2.5", "FABRICATOR_2_PRICE_LIFE": "5s",
	})
	want := open.Rows{
		{Name: "far_east", Interface: "openfab", Country: "CN", Wait: 10 * time.Second, OpenFab: open.OpenFab{URL: "https://a.example", AppID: "i", AccessKey: "k", SecretKey: "s", PerSecond: 10, PriceTTL: time.Minute}},
		{Name: "house", Interface: "tariff", Country: "DE", Wait: 3 * time.Second, OpenFab: open.OpenFab{PerSecond: 10, PriceTTL: time.Minute}},
		{Name: "far_west", Interface: "openfab", Country: "US", Wait: 10 * time.Second, OpenFab: open.OpenFab{URL: "https://b.example", AppID: "i", AccessKey: "k", SecretKey: "s", PerSecond: 2.5, PriceTTL: 5 * time.Second}},
	}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Fatalf("rows (-want +got):\n%s", diff)
	}
	fabs, err := rows.Open(time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		name, country string
		adapter       any
	}{{"far_east", "CN", &openfab.Client{}}, {"house", "DE", &tariff.Tariff{}}, {"far_west", "US", &openfab.Client{}}} {
		got := fabs[i]
		if got.Name != want.name || got.Country != want.country || reflect.TypeOf(got.Adapter) != reflect.TypeOf(want.adapter) {
			t.Errorf("fabricator %d is %s in %s by %T, want %s in %s by %T", i, got.Name, got.Country, got.Adapter, want.name, want.country, want.adapter)
		}
	}
}

// TestBadRows: what is wrong with a row stops the start, with the name of the variable.
func TestBadRows(t *testing.T) {
	t.Parallel()
	good := map[string]string{
		"FABRICATOR_0_NAME": "far_east", "FABRICATOR_0_INTERFACE": "openfab", "FABRICATOR_0_URL": "https://a.example",
		"FABRICATOR_0_APP_ID": "i", "FABRICATOR_0_ACCESS_KEY": "k", "FABRICATOR_0_SECRET_KEY": "s",
		"FABRICATOR_1_NAME": "house", "FABRICATOR_1_INTERFACE": "tariff",
	}
	for _, tt := range []struct {
		what, name, value string // what is changed
		want              string // in the error; "" for none
	}{
		{"nothing", "FABRICATOR_0_NAME", "far_east", ""},
		{"no name", "FABRICATOR_0_NAME", "", `FABRICATOR_0_NAME is ""`},
		{"a name with capitals", "FABRICATOR_1_NAME", "House", `FABRICATOR_1_NAME is "House"`},
		{"a name twice", "FABRICATOR_1_NAME", "far_east", `FABRICATOR_1_NAME is "far_east", as FABRICATOR_0_NAME is`},
		{"the name of test keys' orders", "FABRICATOR_1_NAME", "test", "FABRICATOR_1_NAME"},
		{"no interface", "FABRICATOR_1_INTERFACE", "", `FABRICATOR_1_INTERFACE is "": want one of openfab, pcbway, tariff`},
		{"an unknown interface", "FABRICATOR_0_INTERFACE", "crystal ball", `FABRICATOR_0_INTERFACE is "crystal ball"`},
		{"a country in words", "FABRICATOR_1_COUNTRY", "Germany", `FABRICATOR_1_COUNTRY is "Germany"`},
		{"a wait below nothing", "FABRICATOR_1_WAIT", "-1s", "FABRICATOR_1_WAIT is -1s"},
		{"a partner API without a key", "FABRICATOR_1_INTERFACE", "pcbway", "FABRICATOR_1_URL, _API_KEY"},
		{"no address", "FABRICATOR_0_URL", "", "FABRICATOR_0_URL is required with FABRICATOR_0_INTERFACE=openfab"},
		{"an address that is none", "FABRICATOR_0_URL", "a.example", "FABRICATOR_0_URL"},
		{"no secret", "FABRICATOR_0_SECRET_KEY", "", "FABRICATOR_0_SECRET_KEY is required"},
		{"an application without a name", "FABRICATOR_0_APP_ID", "", "FABRICATOR_0_APP_ID is required"},
		{"no key", "FABRICATOR_0_ACCESS_KEY", "", "FABRICATOR_0_ACCESS_KEY is required"},
		{"a key with a quotation mark", "FABRICATOR_0_ACCESS_KEY", `a"b`, "_ACCESS_KEY"},
		{"a table that is not there", "FABRICATOR_1_TABLE", "/nowhere/tariff.yaml", "FABRICATOR_1_TABLE: read tariff: open /nowhere/tariff.yaml"},
		{"a row with secrets only", "FABRICATOR_2_SECRET_KEY", "s", `FABRICATOR_2_NAME is ""`},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			vars := map[string]string{tt.name: tt.value}
			for name, value := range good {
				if name != tt.name {
					vars[name] = value
				}
			}
			fabs, err := parse(t, vars).Open(time.Now)
			if (tt.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s=%q: %d fabricators, %v, want an error with %q", tt.name, tt.value, len(fabs), err, tt.want)
			}
		})
	}
	if fabs, err := open.Rows(nil).Open(time.Now); err == nil || !strings.Contains(err.Error(), "FABRICATOR_0_NAME is required") {
		t.Errorf("no rows: %d fabricators, %v, want an error that names FABRICATOR_0_NAME", len(fabs), err)
	}
}

// TestUnproven: an interface that was written from documents is unproven until its operator
// has confirmed it.
func TestUnproven(t *testing.T) {
	t.Parallel()
	for proven, want := range map[string]bool{"": true, "false": true, "true": false} {
		fabs, err := parse(t, map[string]string{
			"FABRICATOR_0_NAME": "house", "FABRICATOR_0_INTERFACE": "tariff",
			"FABRICATOR_1_NAME": "far_east", "FABRICATOR_1_INTERFACE": "pcbway", "FABRICATOR_1_URL": "https://a.example", "FABRICATOR_1_API_KEY": "k", "FABRICATOR_1_PROVEN": proven,
		}).Open(time.Now)
		if err != nil || fabs[0].Unproven || fabs[1].Unproven != want {
			t.Errorf("PROVEN=%q: %+v, %v; want the second unproven: %t, the first never", proven, fabs, err, want)
		}
	}
}
