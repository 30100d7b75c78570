package mpn_test

import (
	"testing"

	"boardorder/services/part-sourcing/internal/mpn"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b         string
		same, family bool
	}{
		{"LM358DR", "lm358dr ", true, true},
		{"BAV99,215", "BAV99 215", true, true},
		{"LMS1587IS-3.3/NOPB", "LMS1587IS-3.3", false, true},
		{"NCP1117LPST33T3G", "NCP1117LPST33", false, true},
		{"DMP2123LQ-7", "DMP2123LQ-13", false, true},
		{"LM358DR", "LM358DT", false, false},
		{"W25Q16JVUXIQ_TR", "W25Q16JVUXIQ", false, true},
		{"W25Q16JVUXIQ TR", "W25Q16JVUXIQ", false, true},
		{"", "", false, true},
	} {
		if mpn.Same(tt.a, tt.b) != tt.same || (mpn.Family(tt.a) == mpn.Family(tt.b)) != tt.family {
			t.Errorf("%s, %s: same %v, families %s %s", tt.a, tt.b, mpn.Same(tt.a, tt.b), mpn.Family(tt.a), mpn.Family(tt.b))
		}
	}
}

func TestLooks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"W25Q128JVSIQ": true, "BC817": true, "TIP122": true, "SRA-12VDC-CL": true, "BAV99,215": true, "TRS": false, "LED RED": false, "Conn_01x03": false, "10k": false,
		"": false, "100nF/16V": true, "0402": false, "694101308002": true, "831-87-032-10-001101": true, "1.5": false,
	} {
		if mpn.Looks(text) != want {
			t.Errorf("Looks(%q) = %v", text, !want)
		}
	}
}
