package dxf_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/upload/sidefiles/dxf"
)

// drawing is a DXF with entities of these names, each on the layer behind its colon.
func drawing(entities ...string) string {
	out := "0\r\nSECTION\r\n2\r\nHEADER\r\n9\r\n$INSUNITS\r\n70\r\n4\r\n0\r\nENDSEC\r\n0\r\nSECTION\r\n2\r\nENTITIES\r\n"
	for _, e := range entities {
		kind, layer, _ := strings.Cut(e, ":")
		out += "  0\r\n" + kind + "\r\n  8\r\n" + layer + "\r\n 10\r\n0.0\r\n 20\r\n0.0\r\n"
	}
	return out + "0\r\nENDSEC\r\n0\r\nEOF\r\n"
}

// TestDescribe: what a drawing holds, by kind and layer; nothing of what is no DXF.
func TestDescribe(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		drawing("LINE:0", "LINE:0", "LINE:0", "ARC:0"):           `3 lines and 1 arc on the layer "0"`,
		drawing("LWPOLYLINE:Edge", "POLYLINE:Edge", "CIRCLE:M3"): `2 polylines and 1 circle on the layers Edge and M3`,
		drawing("LWPOLYLINE:Edge", "TEXT:Notes", "MTEXT:Notes"):  `1 polyline on the layer Edge`,
		drawing("TEXT:Notes"):                                    "no lines",
		drawing():                                                "no lines",
		drawing("LINE:a", "LINE:b", "LINE:c", "LINE:d", "LINE:e", "LINE:f", "LINE:g", "LINE:h"): `8 lines on the layers a, b, c, d, e, f and 2 more`,
		"AutoCAD Binary DXF\r\n\x1a\x00":                         "",
		"0\nSECTION\n2\nENTITIES\n0\nLINE\n10\n0.0\n0\nENDSEC\n": "1 line", // on no layer
		"a text\nof lines\n":                                     "",
		"":                                                       "",
	} {
		if got := dxf.Describe([]byte(data)); got != want {
			t.Errorf("%.80q is %q, want %q", data, got, want)
		}
	}
}

// FuzzDescribe: no bytes stop it.
func FuzzDescribe(f *testing.F) {
	f.Add([]byte(drawing("LINE:0", "ARC:1")))
	f.Fuzz(func(_ *testing.T, data []byte) { dxf.Describe(data) })
}
