package supplierstest_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator"
	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/parts"
	"boardorder/services/part-sourcing/internal/fablib"
	"boardorder/services/part-sourcing/internal/mpn"
	"boardorder/services/part-sourcing/internal/outside"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/supplierstest"
)

type source interface {
	Name() string
	Batch() int
	Takes(part.Scheme) bool
	Lookup(ctx context.Context, queries []part.Query) ([]part.Answer, error)
}

func sourcesOf(w *supplierstest.World) map[string]source {
	return map[string]source{parts.Library: w.Fab, parts.DigiKey: w.A, parts.Mouser: w.B, "nexar": w.Search}
}

func query(number string) part.Query { return part.Query{Scheme: part.MPN, Number: number} }

// TestEverySupplier looks the same parts up everywhere and holds the answers
// against the catalogue.
func TestEverySupplier(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	c := w.Sim.Parts().Catalogue()
	for supplier, s := range sourcesOf(w) {
		for _, number := range []string{"STM32F103C8T6", "lm358dr", "RC0603FR-074K7L", "CL10B104KB8NNNC", "BAV99,215", "MT41K128M16JT-125:K", "no-such-part-1"} {
			answers, err := s.Lookup(t.Context(), []part.Query{query(number)})
			if err != nil {
				t.Fatalf("look %[2]s up at %[1]s: %[3]v", supplier, number, err)
			}
			want := c.Find(number)
			sold := want != nil && (supplier == "nexar" || want.IsSoldBy(supplier))
			if sold != (len(answers[0].Offers) > 0) {
				t.Errorf("%s, %s: %d offers, want any: %v", supplier, number, len(answers[0].Offers), sold)
			}
			for _, o := range answers[0].Offers {
				if !mpn.Same(o.MPN, number) || o.Source != s.Name() || o.Minimum < 1 || o.Multiple < 1 || len(o.Breaks) == 0 || o.Supplier == "" || o.SKU == "" {
					t.Errorf("%s: offer %+v, want one of this part by %s, with prices, a seller and its number", number, o, s.Name())
				}
				if supplier == parts.Mouser && (o.Stock != want.Stock(supplier) || int64(o.Breaks[0].Price) > want.Price*130/100 || o.LeadDays != 7*want.LeadWeeks()) {
					t.Errorf("%s: offer %+v, want %d in stock, at most at 130 %% of %d, in %d weeks", number, o, want.Stock(supplier), want.Price, want.LeadWeeks())
				}
			}
		}
	}
}

func TestLifecycleAndSimilar(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{})
	for _, tt := range []struct {
		number, similar string
		want            part.Lifecycle
	}{{"LMS1587IS-3.3/NOPB", "LM1085IS-3.3/NOPB", part.Obsolete}, {"TJA1050T/CM,118", "TJA1051T/3,118", part.EOL}, {"LM358DR", "", part.Active}, {"CP2102-GMR", "CP2102N-A02-GQFN28R", part.NRND}} {
		for _, s := range []source{w.A, w.B, w.Search} {
			answers, err := s.Lookup(t.Context(), []part.Query{query(tt.number)})
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range answers[0].Offers {
				if o.Lifecycle != tt.want && !(tt.want == part.EOL && o.Lifecycle == part.LastTimeBuy) {
					t.Errorf("%s at %s: %s, want %s", tt.number, s.Name(), o.Lifecycle, tt.want)
				}
			}
			reported := s != source(w.A) || tt.want.Ending()
			if reported && len(answers[0].Offers) > 0 && tt.similar != "" && (len(answers[0].Similar) == 0 || answers[0].Similar[0].MPN != tt.similar) {
				t.Errorf("%s at %s: similar %+v, want %s first", tt.number, s.Name(), answers[0].Similar, tt.similar)
			}
		}
	}
}

func TestOwnNumbers(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{})
	c := w.Sim.Parts().Catalogue()
	for i := range c.Parts {
		p := &c.Parts[i]
		if !p.IsSoldBy(parts.DigiKey) || !p.IsSoldBy(parts.Mouser) || !p.IsSoldBy(parts.Library) || !p.IsTaped() {
			continue
		}
		for s, q := range map[source]part.Query{
			w.A: {Scheme: part.DigiKey, Number: p.MPN + "CT-ND"}, w.B: {Scheme: part.Mouser, Number: "999-" + p.MPN}, w.Fab: {Scheme: part.FabCode, Number: strings.ToLower(c.Code(p))},
		} {
			answers, err := s.Lookup(t.Context(), []part.Query{q})
			if err != nil || len(answers[0].Offers) == 0 || answers[0].Offers[0].MPN != p.MPN {
				t.Errorf("%s: %+v, %v; want an offer of %s", q.Key(), answers, err, p.MPN)
			}
		}
		return
	}
	t.Error("no part is sold everywhere")
}

// TestSpoiledAnswers: what cannot be true is no answer, and never an offer.
func TestSpoiledAnswers(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Timeout: 3 * time.Second})
	for name, tt := range map[string]struct {
		kind string
		want outside.Kind
	}{
		"another currency": {parts.FaultCurrency, outside.InvalidAnswer}, "half an answer": {parts.FaultTorn, outside.InvalidAnswer},
		"an endless answer": {parts.FaultHuge, outside.InvalidAnswer}, "a page": {fault.Garbage, outside.InvalidAnswer}, "an error": {fault.ErrorBefore, outside.Unavailable},
		"no answer": {fault.Drop, outside.Unavailable}, "over quota": {parts.FaultQuota, outside.OverQuota},
	} {
		for supplier, s := range map[string]source{"digikey/products": w.A, "mouser": w.B, "nexar/graphql": w.Search} {
			if err := w.Sim.Faults().Add(fault.Fault{Match: "* /parts/" + supplier, Kind: tt.kind, Times: -1}); err != nil {
				t.Fatal(err)
			}
			s := fresh(t, w, s)
			answers, err := s.Lookup(t.Context(), []part.Query{query("LM358DR")})
			if err == nil || outside.KindOf(err) != tt.want {
				t.Errorf("%s from %s: %v, %v; want %s", name, supplier, answers, err, tt.want)
			}
			if tt.want == outside.OverQuota && outside.RetryAfter(err) <= 0 {
				t.Errorf("%s from %s: no time to come back", name, supplier)
			}
			w.Sim.Faults().Clear()
		}
	}
	for supplier, s := range map[string]source{"digikey/products": w.A, "mouser": w.B, "nexar/graphql": w.Search} {
		if err := w.Sim.Faults().Add(fault.Fault{Match: "* /parts/" + supplier, Kind: parts.FaultRelatives, Times: -1}); err != nil {
			t.Fatal(err)
		}
		answers, err := fresh(t, w, s).Lookup(t.Context(), []part.Query{query("LM358DR")})
		w.Sim.Faults().Clear()
		if err != nil || len(answers[0].Offers) != 0 {
			t.Errorf("relatives from %s were taken for the part: %+v, %v", supplier, answers, err)
		}
		if err := w.Sim.Faults().Add(fault.Fault{Match: "* /parts/" + supplier, Kind: parts.FaultNegative, Times: -1}); err != nil {
			t.Fatal(err)
		}
		answers, err = fresh(t, w, s).Lookup(t.Context(), []part.Query{query("LM358DR")})
		w.Sim.Faults().Clear()
		if err != nil || len(answers[0].Offers) == 0 {
			t.Errorf("negative prices from %s: %+v, %v", supplier, answers, err)
		}
		for _, o := range answers[0].Offers {
			if len(o.Breaks) > 0 {
				t.Errorf("negative prices were believed: %+v", o)
			}
		}
	}
}

// fresh makes the adapter anew, so that no test meets another's open circuit or
// used up quota.
func fresh(t *testing.T, w *supplierstest.World, s source) source {
	t.Helper()
	n := supplierstest.Adapters(t, w.Sim, supplierstest.Options{Timeout: 3 * time.Second})
	switch s {
	case source(w.A):
		return n.A
	case source(w.B):
		return n.B
	}
	return n.Search
}

func TestTokens(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{})
	for _, s := range []source{w.A, w.Search} {
		if err := w.Sim.Faults().Add(fault.Fault{Match: "POST /parts", Kind: parts.FaultToken}); err != nil {
			t.Fatal(err)
		}
		if answers, err := s.Lookup(t.Context(), []part.Query{query("LM358DR")}); err != nil || len(answers) != 1 {
			t.Errorf("%s after a revoked token: %v", s.Name(), err)
		}
	}
}

// TestSecretsAreNotWritten: no error holds a key, whatever failed.
func TestSecretsAreNotWritten(t *testing.T) {
	t.Parallel()
	const secret = "a-secret+of/ours"
	w := supplierstest.Start(t, supplierstest.Options{SecretA: secret, KeyB: secret})
	for _, s := range []source{w.A, w.B} {
		_, err := s.Lookup(t.Context(), []part.Query{query("LM358DR")})
		if outside.KindOf(err) != outside.Refused {
			t.Errorf("%s with a wrong key: %v", s.Name(), err)
		}
		if err := w.Sim.Faults().Add(fault.Fault{Match: "POST /parts", Kind: fault.Drop}); err != nil {
			t.Fatal(err)
		}
		_, dropped := s.Lookup(t.Context(), []part.Query{query("LM358DR")})
		for _, e := range []error{err, dropped} {
			if e == nil || strings.Contains(e.Error(), secret) || strings.Contains(e.Error(), "a-secret") {
				t.Errorf("%s: %v, want an error without secrets", s.Name(), e)
			}
		}
		w.Sim.Faults().Clear()
	}
}

// TestCircuit: a supplier that fails again and again is left alone.
func TestCircuit(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{})
	if err := w.Sim.Faults().Add(fault.Fault{Match: "POST /parts/mouser", Kind: parts.FaultTorn, Times: -1}); err != nil {
		t.Fatal(err)
	}
	var err error
	for range 8 {
		_, err = w.B.Lookup(t.Context(), []part.Query{query("LM358DR")})
	}
	if n := w.Sim.Parts().Calls(parts.Mouser); n != 5 || outside.KindOf(err) != outside.Unavailable || outside.RetryAfter(err) <= 0 {
		t.Errorf("%d calls, then %v", n, err)
	}
}

func TestQuotaOfTheSupplier(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Sim: simulator.Config{Mouser: parts.Limit{Minute: 2, Day: 100}, DigiKey: parts.Limit{Minute: 2, Day: 100}}})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for _, s := range []source{w.A, w.B} {
		var err error
		for range 4 {
			_, err = s.Lookup(ctx, []part.Query{query("LM358DR")})
		}
		supplier := map[string]string{"distributor_a": parts.DigiKey, "distributor_b": parts.Mouser}[s.Name()]
		if n := w.Sim.Parts().Calls(supplier); n != 2 || outside.KindOf(err) != outside.OverQuota {
			t.Errorf("%s: %d calls, %v", s.Name(), n, err)
		}
	}
}

func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{})
	if err := w.Sim.Faults().Add(fault.Fault{Match: "POST /parts/mouser", Kind: fault.Delay, DelayMS: 60_000, Times: -1}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := w.B.Lookup(ctx, []part.Query{query("LM358DR")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lookup whose time is over: %v, want %v", err, context.DeadlineExceeded)
	}
}

func TestLibraryIndex(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{})
	index, err := fablib.Build(t.Context(), w.OpenFab)
	if err != nil || index.Len() < 2000 {
		t.Fatalf("%d parts, %v", index.Len(), err)
	}
	data, err := index.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var again fablib.Index
	if err := again.UnmarshalBinary(data); err != nil || again.Len() != index.Len() {
		t.Errorf("%d parts read back, %v", again.Len(), err)
	}
	c := w.Sim.Parts().Catalogue()
	for i := range c.Parts {
		// Several makers may have parts of one number.
		if code := c.Code(&c.Parts[i]); code != "" && !slices.Contains(again.Codes(c.Parts[i].MPN), code) {
			t.Errorf("%s: %v, want %s", c.Parts[i].MPN, again.Codes(c.Parts[i].MPN), code)
		}
	}
	if got, want := again.Codes("USBLC6-2SC6"), []string{"C7519", "C2827654", "C5261088"}; !slices.Equal(got, want) {
		t.Errorf("codes of a number of three makers: %v, want %v", got, want)
	}
	if got := again.Codes("0603WAF1002T5E"); len(got) != 1 {
		t.Errorf("codes of a number of one maker: %v, want one", got)
	}
	if err := again.UnmarshalBinary([]byte("something else")); err == nil {
		t.Error("something else was read as an index")
	}
	if err := w.Sim.Faults().Add(fault.Fault{Match: "POST /fab", Kind: "negative_price"}); err != nil {
		t.Fatal(err)
	}
	w.Fab.Use(index)
	if a, err := w.Fab.Lookup(t.Context(), []part.Query{query("0603WAF1002T5E")}); err != nil || len(a[0].Offers) != 1 || len(a[0].Offers[0].Breaks) > 0 {
		t.Errorf("a negative price: %+v, %v", a, err)
	}
}

// TestLibraryStates: the fabricator's library tells a part's manufacturer, which
// only its list states, its lifecycle and its data sheet.
func TestLibraryStates(t *testing.T) {
	t.Parallel()
	w := supplierstest.Start(t, supplierstest.Options{Index: true})
	c := w.Sim.Parts().Catalogue()
	for _, tt := range []struct {
		number, maker string
		want          part.Lifecycle
	}{
		{"LM358DR", "Texas Instruments", part.Active}, {"W25Q80DVSNIG", "Winbond Electronics", part.LastTimeBuy}, {"STM32F100C8T6B", "STMicroelectronics", part.NRND},
		{"LMS1587IS-3.3/NOPB", "Texas Instruments", part.Obsolete},
	} {
		p := c.Find(tt.number)
		if !p.IsSoldBy(parts.Library) {
			continue
		}
		for _, q := range []part.Query{query(tt.number), {Scheme: part.FabCode, Number: c.Code(p)}} {
			answers, err := w.Fab.Lookup(t.Context(), []part.Query{q})
			if err != nil || len(answers[0].Offers) != 1 {
				t.Fatalf("%s by %s: %+v, %v; want one offer", tt.number, q.Key(), answers, err)
			}
			if o := answers[0].Offers[0]; o.Manufacturer != tt.maker || o.Lifecycle != tt.want || o.Datasheet == "" {
				t.Errorf("%s: of %q, %s, data sheet %q; want of %q, %s, some", tt.number, o.Manufacturer, o.Lifecycle, o.Datasheet, tt.maker, tt.want)
			}
		}
	}
	capacitor := "CL10B104KB8NNNC"
	answers, err := w.Fab.Lookup(t.Context(), []part.Query{query(capacitor)})
	if err != nil || len(answers[0].Offers) != 1 {
		t.Fatalf("%s: %+v, %v; want one offer", capacitor, answers, err)
	}
	if d := answers[0].Offers[0].Data; d.Value != 100_000_000 || d.Voltage != 50_000 || d.Dielectric != "X7R" || d.Size != "0603" || d.Tolerance != 100_000 {
		t.Errorf("%s: %+v, want 100 nF of 50 V, X7R, 0603, 10 %%", capacitor, d)
	}
	// Without an index the library tells no manufacturer.
	w.Fab.Use(&fablib.Index{})
	answers, err = w.Fab.Lookup(t.Context(), []part.Query{{Scheme: part.FabCode, Number: c.Code(c.Find(capacitor))}})
	if err != nil || len(answers[0].Offers) != 1 || answers[0].Offers[0].Manufacturer != "" {
		t.Errorf("%s without an index: %+v, %v; want one offer and no manufacturer", capacitor, answers, err)
	}
}
