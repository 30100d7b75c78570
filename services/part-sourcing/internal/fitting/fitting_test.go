package fitting_test

import (
	"testing"

	"boardorder/services/part-sourcing/internal/fitting"
)

func TestRead(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]struct{ headedOut, headedFitted, clear bool }{
		"DNP": {true, true, true}, "do not fit": {true, true, true}, "nicht bestückt": {true, true, true}, "未実装": {true, true, true},
		"yes": {true, false, true}, "x": {true, false, true}, "1": {true, false, true}, "да": {true, false, true}, "SMD": {true, false, true},
		"no": {false, true, true}, "0": {false, true, true}, "否": {false, true, true},
		"see drawing": {true, false, false},
	} {
		out, _ := fitting.Read(cell, true)
		fitted, clear := fitting.Read(cell, false)
		if out != want.headedOut || fitted != want.headedFitted || clear != want.clear {
			t.Errorf("%q leaves out %v below DNP, %v below fitted, clear %v; want %v", cell, out, fitted, clear, want)
		}
	}
}

func TestDenied(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ whole, within bool }{
		"DNP": {true, true}, "10k DNM": {false, true}, "100n [DNP]": {false, true}, "n.b.": {true, false}, "DNPX-1": {false, false}, "100n NP0": {false, false}, "": {false, false},
		"10k DNS": {false, true}, "DNS 10k": {false, true}, "DNS": {true, true}, "do not stuff": {true, true}, "NF": {true, false}, "10k no-stuff": {false, true}, "DNSX": {false, false}, "DNL": {true, true},
	} {
		if whole, within := fitting.IsDenied(text), fitting.ContainsDenial(text); whole != want.whole || within != want.within {
			t.Errorf("%q: %v, within %v; want %v", text, whole, within, want)
		}
	}
}

func TestStripMarks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		rest   string
		denied bool
	}{
		"DNS R5": {"R5", true}, "DNP: R5, R6": {"R5, R6", true}, "R5 (DNS)": {"R5", true}, "R5, R6 dni": {"R5, R6", true}, "NF R1": {"R1", true}, "do not fit C1 C2": {"C1 C2", true}, "R1 [Not Fitted]": {"R1", true},
		"R5": {"R5", false}, "DNS1": {"DNS1", false}, "NF1, NF2": {"NF1, NF2", false}, "": {"", false}, "DNP": {"", true}, "D.N.P. R1": {"R1", true},
	} {
		if rest, denied := fitting.StripMarks(text); rest != want.rest || denied != want.denied {
			t.Errorf("%q: %q, %v; want %q, %v", text, rest, denied, want.rest, want.denied)
		}
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct{ ends, begins bool }{
		"10k/NF": {true, false}, "10k (NF)": {true, false}, "100nF 50V NF": {true, false}, "100nF/50V/NF": {true, false}, "100nF NF": {true, false}, "10k N.F.": {true, false}, "10k 0603 NF": {true, false},
		"100 NF": {}, "10NF": {}, "0.1 NF": {}, "C 100 NF": {}, "100/NF": {}, ".1 NF": {}, "100 (NF)": {}, "NF": {}, "NF-1234": {}, "100 nf": {},
		"RES 10k 0603 DNP": {true, false}, "RES 10k 0603 (do not fit)": {true, false}, "R_0603_1608Metric DNP": {true, false}, "10k_DNP": {true, false}, "CABDNP": {}, "": {},
		"DNP": {false, true}, "NOT FITTED": {false, true}, "do not populate unless 5V": {false, true}, "(DNP)": {true, true}, "see DNP list": {}, "close to U1": {}, "DNSX": {}, "no": {}, "D-SUB not wired": {},
	} {
		if ends, begins := fitting.EndsInDenial(text), fitting.BeginsWithDenial(text); ends != want.ends || begins != want.begins {
			t.Errorf("%q: ends %v, begins %v; want %v", text, ends, begins, want)
		}
	}
	for text, want := range map[string]bool{"DNP-10k": true, "DNF-4u7": true, "DNP-100nF 50V": true, "DNP-100nF/50V": true, "DNP-4k7": true, "DNM-1234X9": false, "DNPX-1": false} {
		if got := fitting.ContainsDenial(text); got != want {
			t.Errorf("ContainsDenial(%q) = %v, want %v", text, got, want)
		}
	}
}
