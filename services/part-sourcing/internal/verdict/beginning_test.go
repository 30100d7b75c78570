package verdict_test

import (
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/verdict"
)

// TestBeginnings: a part whose number begins with the one on the list is offered as that part where
// all that begin so are the same but for their packing, and is asked about where they differ.
func TestBeginnings(t *testing.T) {
	t.Parallel()
	st := func(number, pack string) part.Offer { return offer(number, "STMicroelectronics", pack, 900) }
	ti := func(number, pack string) part.Offer { return offer(number, "Texas Instruments", pack, 900) }
	for name, tt := range map[string]struct {
		number string
		sold   []part.Offer
		want   string // the part that is offered; "" for none
		why    string
		asks   string
	}{
		"packed on a reel":       {"LM358PW", []part.Offer{ti("LM358PWR", "TSSOP-8")}, "LM358PWR", "without its packing", ""},
		"two packings":           {"TLV70033DBV", []part.Offer{ti("TLV70033DBVR", "SOT-23-5"), ti("TLV70033DBVT", "SOT-23-5")}, "TLV70033DBVR", "without its packing", ""},
		"behind a hyphen":        {"DMP2123LQ", []part.Offer{offer("DMP2123LQ-7", "Diodes Inc", "SOT-23", 900), offer("DMP2123LQ-13", "Diodes Inc", "SOT-23", 900)}, "DMP2123LQ-7", "without its packing", ""},
		"one temperature alone":  {"STM32F103C8", []part.Offer{st("STM32F103C8T6", "LQFP-48")}, "STM32F103C8T6", "named by a supplier", ""},
		"two temperatures":       {"STM32F103C8", []part.Offer{st("STM32F103C8T6", "LQFP-48"), st("STM32F103C8T7", "LQFP-48")}, "", "", "STM32F103C8T6 (LQFP-48), STM32F103C8T7 (LQFP-48)"},
		"two packages":           {"STM32F103C8", []part.Offer{st("STM32F103C8T6", "LQFP-48"), st("STM32F103C8U6", "UFQFPN-48")}, "", "", "STM32F103C8U6 (UFQFPN-48)"},
		"two makers":             {"LM358D", []part.Offer{ti("LM358DR", "SOIC-8"), st("LM358DT", "SOIC-8")}, "", "", "LM358DR (SOIC-8), LM358DT (SOIC-8)"},
		"packages that differ":   {"TLV70033DBV", []part.Offer{ti("TLV70033DBVR", "SOT-23-5"), ti("TLV70033DBVT", "WSON-6")}, "", "", "not one and the same"},
		"no package known":       {"LM358PW", []part.Offer{ti("LM358PWR", "")}, "LM358PWR", "named by a supplier", ""},
		"another number":         {"LM358PW", []part.Offer{ti("LM2904PWR", "TSSOP-8")}, "LM2904PWR", "named by a supplier", ""},
		"two of another number":  {"LM358PW", []part.Offer{ti("LM2904PWR", "TSSOP-8"), st("LM2904N", "DIP-8")}, "LM2904PWR", "named by a supplier", ""},
		"tolerances that differ": {"CRCW060310K0", []part.Offer{offer("CRCW060310K0FKEA", "Vishay", "0603", 900), offer("CRCW060310K0JNEA", "Vishay", "0603", 900)}, "", "", "CRCW060310K0FKEA (0603), CRCW060310K0JNEA (0603)"},
	} {
		l := line(bom.Line{MPN: tt.number}, 10)
		f := verdict.Facts{}
		s, asks := verdict.Replacement(l, f, tt.sold), verdict.AskWhich(l, f, tt.sold)
		got, why := "", ""
		if s != nil {
			got, why = s.MPN, s.Why
		}
		if got != tt.want || !strings.Contains(why, tt.why) || (asks != "") != (tt.asks != "") || !strings.Contains(asks, tt.asks) {
			t.Errorf("%s: %s, sold %v: offered %q (%s), asks %q; want %q (%s), %q", name, tt.number, tt.sold, got, why, asks, tt.want, tt.why, tt.asks)
		}
	}
}
