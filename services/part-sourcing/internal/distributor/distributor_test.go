package distributor_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/services/part-sourcing/internal/distributor"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"

	"github.com/caarlos0/env/v11"
)

// TestRowsOfTheEnvironment: any number of distributors, each with its own settings.
func TestRowsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	type config struct {
		Distributors distributor.Rows `envPrefix:"DISTRIBUTOR"`
	}
	got, err := env.ParseAsWithOptions[config](env.Options{Environment: map[string]string{
		"DISTRIBUTOR_0_NAME": "distributor_a", "DISTRIBUTOR_0_INTERFACE": "digikey", "DISTRIBUTOR_0_URL": "https://a.example", "DISTRIBUTOR_0_CLIENT_ID": "i", "DISTRIBUTOR_0_CLIENT_SECRET": "s",
		"DISTRIBUTOR_1_NAME": "distributor_b", "DISTRIBUTOR_1_INTERFACE": "mouser", "DISTRIBUTOR_1_API_KEY": "k", "DISTRIBUTOR_1_CALLS_PER_DAY": "5",
		"DISTRIBUTOR_2_NAME": "mouser_eu", "DISTRIBUTOR_2_INTERFACE": "mouser", "DISTRIBUTOR_2_KEEP": "1h",
	}})
	if err != nil {
		t.Fatal(err)
	}
	want := distributor.Rows{
		{Name: "distributor_a", Interface: "digikey", URL: "https://a.example", ClientID: "i", ClientSecret: "s", PerDay: 1000, Keep: 12 * time.Hour},
		{Name: "distributor_b", Interface: "mouser", APIKey: "k", PerDay: 5, Keep: 12 * time.Hour},
		{Name: "mouser_eu", Interface: "mouser", PerDay: 1000, Keep: time.Hour},
	}
	if len(got.Distributors) != len(want) {
		t.Fatalf("rows %+v, want %+v", got.Distributors, want)
	}
	for i, r := range got.Distributors {
		if r != want[i] {
			t.Errorf("row %d is %+v, want %+v", i, r, want[i])
		}
	}
	if err := got.Distributors.Check(); err != nil {
		t.Errorf("three distributors: %v", err)
	}
	schemes := got.Distributors.Schemes()
	if len(schemes) != 3 || schemes["distributor_a"] != part.DigiKey || schemes["mouser_eu"] != part.Mouser {
		t.Errorf("schemes %v, want digikey of distributor_a, mouser of distributor_b and mouser_eu", schemes)
	}
}

// TestCheck: a row without an interface or without a name of its own is refused as the
// service starts.
func TestCheck(t *testing.T) {
	t.Parallel()
	row := func(name, by string) distributor.Row { return distributor.Row{Name: name, Interface: by} }
	for _, tt := range []struct {
		what string
		rows distributor.Rows
		want string // in the error; "" for none
	}{
		{"nobody", nil, ""},
		{"one", distributor.Rows{row("far_east_2", "mouser")}, ""},
		{"two of one interface", distributor.Rows{row("a", "mouser"), row("b", "mouser")}, ""},
		{"no name", distributor.Rows{row("", "mouser")}, `DISTRIBUTOR_0_NAME is ""`},
		{"capitals", distributor.Rows{row("Mouser", "mouser")}, `DISTRIBUTOR_0_NAME is "Mouser"`},
		{"a space", distributor.Rows{row("a", "mouser"), row("far east", "mouser")}, `DISTRIBUTOR_1_NAME is "far east"`},
		{"a long name", distributor.Rows{row(strings.Repeat("a", 41), "mouser")}, "of 40 characters at most"},
		{"a name twice", distributor.Rows{row("a", "mouser"), row("a", "digikey")}, `DISTRIBUTOR_1_NAME is "a", as DISTRIBUTOR_0_NAME is`},
		{"the fabricator's", distributor.Rows{row("fab", "mouser")}, `DISTRIBUTOR_0_NAME is "fab", which stands for something else`},
		{"the search's", distributor.Rows{row("aggregator", "mouser")}, `DISTRIBUTOR_0_NAME is "aggregator", which stands for something else`},
		{"an unknown interface", distributor.Rows{row("a", "farnell")}, `DISTRIBUTOR_0_INTERFACE is "farnell": want one of digikey, mouser`},
		{"no interface", distributor.Rows{row("a", "")}, `DISTRIBUTOR_0_INTERFACE is "": want one of`},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			err := tt.rows.Check()
			if got := words(err); (tt.want == "") != (got == "") || !strings.Contains(got, tt.want) {
				t.Errorf("%+v: %q, want %q in it", tt.rows, got, tt.want)
			}
		})
	}
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestOpen: the source of a row has its public name, takes the numbers of its interface and
// those given by its name, no other's, and is asked within the row's limits.
func TestOpen(t *testing.T) {
	t.Parallel()
	var calls atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		http.Error(w, "{}", http.StatusServiceUnavailable)
	}))
	t.Cleanup(server.Close)
	for _, tt := range []struct {
		what      string
		row       distributor.Row
		own       part.Scheme
		foreign   part.Scheme
		perMinute int
	}{
		{"DigiKey's", distributor.Row{Name: "first", Interface: "digikey", ClientID: "i", ClientSecret: "s", PerDay: 7}, part.DigiKey, part.Mouser, 120},
		{"Mouser's", distributor.Row{Name: "second", Interface: "mouser", APIKey: "k", PerDay: 7}, part.Mouser, part.DigiKey, 30},
		{"fewer calls", distributor.Row{Name: "second", Interface: "mouser", APIKey: "k", PerDay: 7, PerMinute: 3}, part.Mouser, part.DigiKey, 3},
	} {
		t.Run(tt.what, func(t *testing.T) {
			t.Parallel()
			tt.row.URL = server.URL
			var name string
			var limits []outside.Limit
			source, err := tt.row.Open(func(supplier string, l ...outside.Limit) outside.Quota {
				name, limits = supplier, l
				return outside.NewWindows(time.Now, l...)
			}, time.Now)
			if err != nil {
				t.Fatal(err)
			}
			if source.Name() != tt.row.Name || name != tt.row.Name {
				t.Errorf("the source is called %s and its quota %s, want %s", source.Name(), name, tt.row.Name)
			}
			for scheme, want := range map[part.Scheme]bool{part.MPN: true, tt.own: true, part.Scheme(tt.row.Name): true, tt.foreign: false, part.FabCode: false, "third": false} {
				if got := source.Takes(scheme); got != want {
					t.Errorf("takes numbers of %s: %t, want %t", scheme, got, want)
				}
			}
			want := []outside.Limit{{Calls: tt.perMinute, Period: time.Minute}, {Calls: 7, Period: 24 * time.Hour}}
			if len(limits) != 2 || limits[0] != want[0] || limits[1] != want[1] {
				t.Errorf("limits %+v, want %+v", limits, want)
			}
			before := calls.Load()
			if _, err := source.Lookup(context.Background(), []part.Query{{Scheme: part.MPN, Number: "LM358DR"}}); err == nil || calls.Load() == before {
				t.Errorf("asked at its address: %v after %d calls, want its refusal", err, calls.Load()-before)
			}
		})
	}
	if _, err := (distributor.Row{Name: "first", Interface: "digikey", URL: server.URL}).Open(func(string, ...outside.Limit) outside.Quota { return nil }, time.Now); err == nil {
		t.Error("a row without credentials was opened")
	}
}
