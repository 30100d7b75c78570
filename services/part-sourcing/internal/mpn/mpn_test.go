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
		{"SMAJ50A", "SMAJ5.0A", false, false}, // 50 V and 5 V
		{"SMAJ5.0A-13-F", "SMAJ50A", false, false},
		{"P6KE6.8A", "P6KE68A", false, false},
		{"LM2596S-5.0/NOPB", "LM2596S-50", false, false},
		{"MIC5504-3.3YM5", "mic5504 3.3ym5", true, true},
		{"AMS1117-3.3", "AMS1117 -3.3.", true, true},
		{"2N7002.", ".2N7002", true, true},
		{"", "", false, true},
	} {
		if mpn.Same(tt.a, tt.b) != tt.same || (mpn.Family(tt.a) == mpn.Family(tt.b)) != tt.family {
			t.Errorf("%s, %s: same %v, families %s %s; want %v, the same family %v", tt.a, tt.b, mpn.Same(tt.a, tt.b), mpn.Family(tt.a), mpn.Family(tt.b), tt.same, tt.family)
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
