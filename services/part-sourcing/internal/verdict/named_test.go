package verdict

import (
	"testing"

	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/part"
)

// TestValueOfAnotherPart: a value that is the number of another part than the code is of makes
// the line one to look at; what may be the same part, and what is no number, does not.
func TestValueOfAnotherPart(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		ref, value, number string
		want               string
	}{
		{"U1", "NE555", "LM358DR", "the list says NE555, and the code is that of LM358DR"},
		{"U1", "STM32F405RGT6", "STM32F103C8T6", "the list says STM32F405RGT6, and the code is that of STM32F103C8T6"},
		{"IC2", "LM393", "LM358DR", "the list says LM393, and the code is that of LM358DR"},
		{"q1", "BC847", "AO3400A", "the list says BC847, and the code is that of AO3400A"},
		{"D1", "1N4148", "B5819W", "the list says 1N4148, and the code is that of B5819W"},
		{"D1", "BAT54S", "BAT54C,215", "the list says BAT54S, and the code is that of BAT54C,215"},
		{"U1", "W25Q32", "W25Q128JVSIQ", "the list says W25Q32, and the code is that of W25Q128JVSIQ"},
		{"D1", "LED 0805", "0805W8F1002T5E", "the code is of a resistor of 10 kΩ, and its place is for another kind of part"},
		{"U1", "LM358", "LM358DR", ""},
		{"U1", "OPAMP_LM358", "LM358DR", ""},
		{"U1", "74LVC1G17", "SN74LVC1G17DBVR", ""},
		{"U1", "SN74LVC1G17", "74LVC1G17GW,125", ""},
		{"U1", "LM1117-3.3", "AZ1117CH-3.3TRG1", ""},
		{"Q1", "2N3904", "MMBT3904", ""},
		{"U1", "EEPROM 24C02", "AT24C02C-SSHM-T", ""},
		{"U1", "ESP32-WROOM-32", "ESP32-WROOM-32E-N4", ""},
		{"U1", "LDO_3V3_500mA", "XC6206P332MR", ""},
		{"U1", "SOT-23-5", "MIC5504-3.3YM5-TR", ""},
		{"D1", "LED_0805", "KT-0805R", ""},
		{"D1", "5V1", "BZT52C5V1", ""},
		{"J1", "USB4085", "TYPE-C-31-M-12", ""},
		{"U1", "", "LM358DR", ""},
	} {
		l := Line{Refs: []string{tt.ref}, Stated: tt.value, ID: identity.Identity{Certainty: identity.Exact, Queries: []part.Query{{Scheme: part.FabCode, Number: "C1"}}}}
		p := Part{Verdict: OK}
		p.holdNamed(l, part.Offer{MPN: tt.number})
		if verdict := map[bool]Verdict{true: OK, false: Check}[tt.want == ""]; p.Why != tt.want || p.Verdict != verdict {
			t.Errorf("%s %q of the code of %s: %s %q, want %s %q", tt.ref, tt.value, tt.number, p.Verdict, p.Why, verdict, tt.want)
		}
	}
	for name, change := range map[string]func(*Line){
		"it has a number":          func(l *Line) { l.ID.Queries = append(l.ID.Queries, part.Query{Scheme: part.MPN, Number: "LM358DR"}) },
		"it was approved":          func(l *Line) { l.Substituted = true },
		"its value was the number": func(l *Line) { l.ByValue = true },
	} {
		l := Line{Refs: []string{"U1"}, Stated: "NE555", ID: identity.Identity{Certainty: identity.Exact, Queries: []part.Query{{Scheme: part.FabCode, Number: "C1"}}}}
		change(&l)
		p := Part{Verdict: OK}
		if p.holdNamed(l, part.Offer{MPN: "LM358DR"}); p.Verdict != OK {
			t.Errorf("%s: %s %q, want ok: other rules are for it", name, p.Verdict, p.Why)
		}
	}
}
