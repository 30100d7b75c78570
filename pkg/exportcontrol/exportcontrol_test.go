package exportcontrol

import (
	"bytes"
	"strings"
	"testing"
)

func TestMentions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"ITAR controlled": true, "This drawing contains technical data subject to the ITAR (22 CFR 120-130).": true,
		"WARNING: International Traffic in Arms Regulations apply": true, "G04 ITAR RESTRICTED*": true, "USML Category XI(c)": true,
		"see 22 CFR 121.1": true, "export: ITAR\nfinish: ENIG": true, "ITAR=yes": true, "no stencil. ITAR applies": true,
		"INTERNATIONAL TRAFFIC IN ARMS REGULATIONS": true, "Not for you. \nITAR": true, "ITAR-free? No: ITAR, category XI": true,

		"": false, "GUITAR preamp": false, "GUITAR_IN": false, "ITARGET": false, "not ITAR controlled": false, "ITAR-free": false, "ITAR free components": false,
		"ITAR: no": false, "ITAR=false": false, "This is not subject to ITAR": false, "non-ITAR": false, "ITAR: not applicable": false, "ITAR does not apply": false,
		"kein ITAR": false, "22 CFR 700": false, "USMLE": false, "itar": false, "ITAR n/a": true,
	} {
		if got := Mentions([]byte(text)); got != want {
			t.Errorf("Mentions(%q) = %t, want %t", text, got, want)
		}
	}
	long := strings.Repeat("X1000Y1000D01*\n", 10_000)
	if !Mentions([]byte(long+"G04 ITAR*\n"+long)) || Mentions([]byte(long)) {
		t.Error("within artwork")
	}
}

func FuzzMentions(f *testing.F) {
	f.Add([]byte("ITAR controlled"), []byte("x"))
	f.Fuzz(func(t *testing.T, before, after []byte) {
		text := bytes.Join([][]byte{before, []byte("ITAR controlled"), after}, []byte("\n"))
		if !Mentions(text) {
			t.Errorf("Mentions(%q) = false, want true", text)
		}
	})
}

func BenchmarkMentions(b *testing.B) {
	text := bytes.Repeat([]byte("X1000Y1000D01*\n"), 100_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Mentions(text)
	}
}
