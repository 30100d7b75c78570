package excellon

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// show writes a file's holes and cuts in millimetres, one a line.
func show(f *File) string {
	var b strings.Builder
	at := func(p geom.Point) string {
		return fmt.Sprintf("%.4g,%.4g", geom.Millimetres(p.X), geom.Millimetres(p.Y))
	}
	for _, h := range f.Hits {
		t := f.Tools[h.Tool]
		fmt.Fprintf(&b, "hole %s T%d %.4g %s\n", at(h.At), t.Number, geom.Millimetres(t.Diameter), t.Plating)
	}
	for _, s := range f.Slots {
		fmt.Fprintf(&b, "slot %s %s T%d\n", at(s.From), at(s.To), f.Tools[s.Tool].Number)
	}
	for _, p := range f.Paths {
		fmt.Fprintf(&b, "path T%d closed=%v", f.Tools[p.Tool].Number, p.Closed)
		for _, q := range p.Points {
			fmt.Fprintf(&b, " %s", at(q))
		}
		for _, a := range p.Bends {
			fmt.Fprintf(&b, " bend%d@%s", a.At, at(a.Centre))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func codes(f *File) []string {
	var out []string
	for _, g := range f.Findings {
		out = append(out, g.Code)
	}
	return out
}

func lines(text ...string) []byte { return []byte(strings.Join(text, "\n") + "\n") }

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []byte
		want string
	}{
		{"metric with points", lines("M48", "FMAT,2", "METRIC", "T1C0.600", "%", "G90", "G05", "T1", "X1.5Y-2.25", "M30"),
			"hole 1.5,-2.25 T1 0.6 unknown\n"},
		{"inch, trailing zeros kept", lines("M48", "INCH,TZ", "T1C0.0394", "%", "T1", "X10000Y5000", "M30"),
			"hole 25.4,12.7 T1 1.001 unknown\n"},
		{"inch, leading zeros kept, places in a comment", lines("M48", ";FILE_FORMAT=2:5", "INCH,LZ", "T1F00S00C0.00984", "%", "T01", "X-006811Y0205807", "M30"),
			"hole -17.3,52.27 T1 0.2499 unknown\n"},
		{"a mask gives the places", lines("M48", "METRIC,LZ,000.000", "T01C0.305", "%", "T01", "X098483Y078245", "M30"),
			"hole 98.48,78.25 T1 0.305 unknown\n"},
		{"coordinates are modal", lines("M48", "METRIC,TZ", "T1C1", "%", "T1", "X1000Y2000", "Y3000", "X4000", "M30"),
			"hole 1,2 T1 1 unknown\nhole 1,3 T1 1 unknown\nhole 4,3 T1 1 unknown\n"},
		{"blanks between the words", lines("M48", "METRIC,TZ", "T1C1", "%", "T1", "X 1000 Y 2000", "M30"),
			"hole 1,2 T1 1 unknown\n"},
		{"platings in sections", lines("M48", "METRIC,TZ", ";TYPE=PLATED", "T1C1", ";TYPE=NON_PLATED", "T2C3", "%", "T1", "X0Y1000", "T2", "X0Y2000", "M30"),
			"hole 0,1 T1 1 plated\nhole 0,2 T2 3 non-plated\n"},
		{"platings in attributes", lines("M48", "; #@! TF.FileFunction,MixedPlating,1,2", "METRIC", "; #@! TA.AperFunction,Plated,PTH,ViaDrill", "T1C0.3",
			"; #@! TA.AperFunction,NonPlated,NPTH,ComponentDrill", "T2C3", "%", "T1", "X1.0Y1.0", "T2", "X2.0Y2.0", "M30"),
			"hole 1,1 T1 0.3 plated\nhole 2,2 T2 3 non-plated\n"},
		{"slot", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0G85X3.0Y1.0", "X5.0G85Y4.0", "M30"),
			"slot 1,1 3,1 T1\nslot 5,1 5,4 T1\n"},
		{"routed slot", lines("M48", "METRIC", "T1C1", "%", "T1", "G00X1.0Y1.0", "M15", "G01X3.0", "M16", "M30"),
			"slot 1,1 3,1 T1\n"},
		{"routed to and fro", lines("M48", "METRIC", "T1C1", "%", "T1", "G00X1.0Y5.0", "M15", "G01Y4.0", "Y6.0", "M17", "M30"),
			"slot 1,6 1,4 T1\n"},
		{"routed arc and back to drilling", lines("M48", "METRIC", "T1C1", "%", "T1", "G00X0.0Y0.0", "M15", "G01X2.0", "G03X2.0Y2.0A1.0", "M16", "G05", "X9.0Y9.0", "M30"),
			"hole 9,9 T1 1 unknown\npath T1 closed=false 0,0 2,0 2,2 bend1@2,1\n"},
		{"repeat", lines("M48", "INCH,TZ", "T1C0.05", "%", "T1", "X10000Y10000", "R2X1000", "M30"),
			"hole 25.4,25.4 T1 1.27 unknown\nhole 27.94,25.4 T1 1.27 unknown\nhole 30.48,25.4 T1 1.27 unknown\n"},
		{"pattern", lines("M48", "METRIC", "T1C1", "%", "M25", "T1", "X1.0Y1.0", "X2.0", "M01", "M02X10.0Y0.0", "M02X10.0", "M08", "M30"),
			"hole 1,1 T1 1 unknown\nhole 2,1 T1 1 unknown\nhole 11,1 T1 1 unknown\nhole 12,1 T1 1 unknown\nhole 21,1 T1 1 unknown\nhole 22,1 T1 1 unknown\n"},
		{"incremental", lines("M48", "METRIC", "T1C1", "%", "G91", "T1", "X1.0Y1.0", "X1.0", "Y1.0", "M30"),
			"hole 1,1 T1 1 unknown\nhole 2,1 T1 1 unknown\nhole 2,2 T1 1 unknown\n"},
		{"another origin", lines("M48", "METRIC", "T1C1", "%", "G93X10.0Y20.0", "T1", "X1.0Y1.0", "M30"),
			"hole 11,21 T1 1 unknown\n"},
		{"tools in the body, no header", lines("%", "T1C0.028F200S100", "X002250Y002300", "T2C0.034F200S100", "X010000Y002200", "M30"),
			"hole 5.715,5.842 T1 0.7112 unknown\nhole 25.4,5.588 T2 0.8636 unknown\n"},
		{"a hole table in comments", lines(";T01 Holesize 1. = 12.000000 Tolerance = +0.0/-0.0 PLATED MILS Quantity = 1",
			";T02 Holesize 2. = 125.000000 Tolerance = +0.0/-0.0 NON_PLATED MILS Quantity = 1", "%", "G90", "T01", "X004450Y000200", "T02", "X009874Y002026", "M30"),
			"hole 11.3,0.508 T1 0.3048 plated\nhole 25.08,5.146 T2 3.175 non-plated\n"},
		{"tools changed by hand", lines(";   Holesize 1. = 8.0 PLATED MILS Quantity = 2", ";   Holesize 2. = 40.0 NON_PLATED MILS Quantity = 1",
			"%", "G90", "X0100000Y0100000", "X0200000Y0100000", "M00", "X0300000Y0200000", "M30"),
			"hole 25.4,25.4 T1 0.2032 plated\nhole 50.8,25.4 T1 0.2032 plated\nhole 76.2,50.8 T2 1.016 non-plated\n"},
		{"all digits written show the places", lines("M48", "METRIC", "T01C.2", "%", "G90", "T01", "X07600000Y08900000", "X05940000Y10370000", "M30"),
			"hole 76,89 T1 0.2 unknown\nhole 59.4,103.7 T1 0.2 unknown\n"},
		{"circle cut", lines("M48", "METRIC", "T1C1", "%", "T1", "X10.0Y10.0G84X5.0", "M30"),
			"path T1 closed=true 12,10 12,10 bend0@10,10\n"},
		{"a tool size redefined is another tool", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "T1C2", "X2.0Y2.0", "M30"),
			"hole 1,1 T1 1 unknown\nhole 2,2 T1 2 unknown\n"},
		{"Sieb & Meyer: the tool stands behind the place", lines("%%3000", "T1C0.8", "X1000Y2000T1", "X3000Y4000", "$"),
			"hole 1,2 T1 0.8 unknown\nhole 3,4 T1 0.8 unknown\n"},
		{"lone carriage returns", []byte("M48\rMETRIC\rT1C1\r%\rT1\rX1.0Y1.0\rM30\r"), "hole 1,1 T1 1 unknown\n"},
		{"end on the last coordinate's line", lines("M48", "INCH,LZ", "T13C0.05", "%", "T13", "X001Y03M30"), "hole 2.54,76.2 T13 1.27 unknown\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), c.in, Options{})
			if diff := cmp.Diff(c.want, show(f)); diff != "" {
				t.Errorf("holes (-want +got):\n%s\nfindings %v", diff, codes(f))
			}
		})
	}
}

// TestDeduce: what the board tells when the file does not.
func TestDeduce(t *testing.T) {
	t.Parallel()
	box := func(w, h float64) geom.Box { return geom.BoxOf(geom.Point{}, geom.Pt(geom.MM(w), geom.MM(h))) }
	for _, c := range []struct {
		name    string
		in      []byte
		opt     Options
		format  string
		finding string // that must be there; "" for none at all
	}{
		{"stated and right", lines("M48", "METRIC,LZ,000.000", "T1C1", "%", "T1", "X001Y001", "X090Y040", "X050Y020", "M30"),
			Options{Extents: box(100, 50)}, "mm 3.3, leading zeros kept", ""},
		{"the unit is missing, tools tell", lines("M48", "T1C0.0315", "%", "T1", "X10000Y10000", "X30000Y15000", "X35000Y19000", "M30"),
			Options{}, "inch 2.4, trailing zeros kept", "drill_format_deduced"},
		{"inch header stripped, metric tools", lines("T1C0.80", "%", "T1", "X10000Y10000", "X90000Y45000", "X35000Y19000", "M30"),
			Options{Extents: box(100, 50)}, "mm 3.3, trailing zeros kept", "drill_format_deduced"},
		{"2.5 rather than 2.4", lines("M48", "INCH", "T1C0.02", "%", "T1", "X100000Y100000", "X350000Y150000", "X120000Y20000", "M30"),
			Options{Extents: box(100, 50)}, "inch 2.5, trailing zeros kept", "drill_format_deduced"},
		{"the header lies about zeros", lines("M48", "INCH,LZ", "T1C0.02", "%", "T1", "X5000Y5000", "X35000Y15000", "X12000Y2000", "X38000Y19000", "M30"),
			Options{Extents: box(100, 50)}, "inch 2.4, trailing zeros kept", "drill_format_wrong"},
		{"the header lies about the unit, pads tell", lines("M48", "METRIC,TZ,000.000", "T1C0.8", "%", "T1", "X5000Y5000", "X35000Y15000", "X12000Y2000",
			"X38000Y19000", "X10000Y10000", "X20000Y10000", "M30"),
			Options{Extents: box(100, 50), Pads: inches("0.5,0.5 3.5,1.5 1.2,0.2 3.8,1.9 1,1 2,1")}, "inch 2.4, trailing zeros kept", "drill_format_wrong"},
		{"stated and spread over the board, some on pads by chance otherwise", lines("M48", "METRIC,LZ,000.000", ";FILE_FORMAT=3:3", "T1C1", "%", "T1", "X010000Y010000", "X020000Y010000", "X030000Y010000",
			"X040000Y010000", "X050000Y040000", "X090000Y040000", "M30"), Options{Extents: box(100, 50), Pads: inches("0.0004,0.0004 0.0008,0.0004 0.0012,0.0004 0.0016,0.0004 0.002,0.002")}, "mm 3.3, leading zeros kept", ""},
		{"few holes in one corner, all stated", lines("M48", ";FILE_FORMAT=4:4", "METRIC,LZ", "T1C0.8", "%", "T1", "G00X0089452Y0091588", "M15", "G01Y0090388", "M16",
			"G00X0091852Y0088788", "M15", "G01X0092552", "M16", "M30"), Options{Extents: box(122.4, 101.6), Pads: inches("0,0 0.1,0 0.2,0")}, "mm 4.4, leading zeros kept", ""},
		{"a parameter file tells", lines(";   Holesize 1. = 8.0 PLATED MILS Quantity = 2", "%", "G90", "X1830000Y1506250", "X1822480Y1418730", "M30"),
			Options{Format: Format{Unit: Inch, Integer: 2, Decimal: 5, Zeros: TrailingKept}}, "inch 2.5, trailing zeros kept", ""},
		{"another unit would fit, but make drills of 8 micrometres", lines("M48", ";FILE_FORMAT=2:5", "INCH", "T1F00S00C0.00787", "T2F00S00C0.13780", "%", "T1", "X1237797Y0447245",
			"X2037797Y0447245", "T2", "X1237797Y0847245", "X2037797Y0847245", "M30"), Options{Extents: box(220, 125)}, "inch 2.5, trailing zeros kept", ""},
		{"few holes in one corner, zeros not stated", lines("M48", "METRIC,000.000", "T1C0.6", "%", "T1", "G00X092300Y006000", "M15", "G01Y001500", "M16",
			"G00X094000Y009000", "M15", "G01X098500", "M16", "M30"), Options{Extents: box(100, 100)}, "mm 3.3, trailing zeros kept", ""},
		{"many holes in one spot", lines("M48", "METRIC,000.000", "T1C0.6", "%", "T1", "X092300Y006000", "X092400Y006000", "X092500Y006000", "X092600Y006100", "X092700Y006200", "X092800Y006300", "M30"),
			Options{Extents: box(100, 100)}, "mm 3.3, trailing zeros kept", "drill_in_one_spot"},
		{"nothing fits", lines("M48", "METRIC,TZ,000.000", "T1C0.8", "%", "T1", "X910000Y920000", "X920000Y1", "X1Y930000", "M30"),
			Options{Extents: geom.BoxOf(geom.Pt(-9e8, -9e8), geom.Pt(-8e8, -8e8))}, "mm 3.3, trailing zeros kept", "drill_off_board"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), c.in, c.opt)
			if got := f.Format.String(); got != c.format {
				t.Errorf("format %q, want %q", got, c.format)
			}
			got := strings.Join(codes(f), " ")
			if c.finding == "" && got != "" || !strings.Contains(got, c.finding) {
				t.Errorf("findings %q, want %q", got, c.finding)
			}
		})
	}
}

// inches reads places written as x,y in inches.
func inches(s string) []geom.Point {
	var out []geom.Point
	for f := range strings.FieldsSeq(s) {
		var x, y float64
		fmt.Sscanf(f, "%f,%f", &x, &y)
		out = append(out, geom.Pt(geom.Inches(x), geom.Inches(y)))
	}
	return out
}

func TestFindings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []byte
		code string
		line int
	}{
		{"cut off", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0"), "drill_truncated", 6},
		{"no size", lines("M48", "METRIC", "%", "T7", "X1.0Y1.0", "M30"), "drill_no_size", 4},
		{"no tool", lines("M48", "METRIC", "%", "X1.0Y1.0", "M30"), "drill_no_tool", 4},
		{"count differs", lines(";T01 Holesize 1. = 0.4 PLATED MM Quantity = 3", "%", "T01", "X001000Y001000", "M30"), "drill_count", 1},
		{"unreadable", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "X2.0?", "M30"), "drill_unreadable", 7},
		{"units disagree", lines("M48", "METRIC", "T1C1", "%", "M72", "T1", "X1.0Y1.0", "M30"), "drill_unit_conflict", 5},
		{"metres away", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "X9999999.0Y1.0", "X1.0Y9999999.0", "M30"), "drill_far", 7},
		{"cutter compensation", lines("M48", "METRIC", "T1C1", "%", "G00X0.0Y0.0", "M15", "G41", "G01X5.0Y0.0", "M16", "M30"), "drill_compensation", 7},
		{"canned cycle", lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "G82", "M30"), "drill_cycle", 7},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			findings := Read(t.Context(), c.in, Options{}).Findings
			for _, f := range findings {
				if f.Code == c.code {
					if f.Line != c.line {
						t.Errorf("%s on line %d, want %d", f.Code, f.Line, c.line)
					}
					return
				}
			}
			t.Errorf("no %s in %v", c.code, findings)
		})
	}
}

// TestFarCoordinates: how many there are, and where the first would lie.
func TestFarCoordinates(t *testing.T) {
	t.Parallel()
	for last, want := range map[string]string{
		"X9000000.0":  "coordinates that lie metres away are left out (2); the first is 9000 m",
		"X-9000000.0": "coordinates that lie metres away are left out (2); the first is -9000 m",
		"X2.0":        "coordinates that lie metres away are left out (1); the first is 8000 m",
	} {
		f := Read(t.Context(), lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", last+"Y8000000.0", "M30"), Options{})
		if len(f.Findings) == 0 || f.Findings[len(f.Findings)-1].Message != want {
			t.Errorf("%s: %+v, want %s", last, f.Findings, want)
		}
	}
	if got := codes(Read(t.Context(), lines("M48", "METRIC", "T1C1", "%", "T1", "X1.0Y1.0", "X900.0Y1.0", "M30"), Options{})); len(got) > 0 {
		t.Errorf("within a metre: findings %v, want none", got)
	}
}

func TestReportedTools(t *testing.T) {
	t.Parallel()
	f := Read(t.Context(), lines("M48", "METRIC", "T1C0.5", "%", "T1", "X1.0Y1.0", "T2", "X2.0Y2.0", "M30"), Options{Tools: map[int]Tool{
		1: {Diameter: 800_000, Plating: pcb.Plated}, 2: {Diameter: 900_000, Plating: pcb.NonPlated},
	}})
	if diff := cmp.Diff("hole 1,1 T1 0.5 plated\nhole 2,2 T2 0.9 non-plated\n", show(f)); diff != "" {
		t.Errorf("holes with two reported tools (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"drill_tool_conflict", "drill_tool_report"}, codes(f)); diff != "" {
		t.Errorf("findings with two reported tools (-want +got):\n%s", diff)
	}
	if f.Plating != pcb.MixedPlating {
		t.Errorf("plating %s, want %s", f.Plating, pcb.MixedPlating)
	}
}

func TestBounded(t *testing.T) {
	t.Parallel()
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 1000})
	defer end()
	f := Read(ctx, lines("M48", "METRIC", "T1C1", "%", "M25", "T1", "X1.0Y1.0", "R999999X0.1", "M01", "M02X1.0", "M02X1.0", "M30"), Options{})
	if e := pcb.Excess(ctx); len(f.Hits) > 2000 || e == nil || e.Counted != pcb.Drilled {
		t.Errorf("%d holes, excess %v; want 2000 at most, and the excess told", len(f.Hits), e)
	}
}

func TestSniff(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"M48\nMETRIC\n":                        true,
		"%\nT1C.015F095S3\nX01095Y01056\n":     true,
		"%FSLAX24Y24*%\n%MOIN*%\nX100Y100D03*": false,
		"Ref,Value\nR1,10k\n":                  false,
		"X001Y002\nX003Y004\nX005Y006\nX1Y2\n": true,
		"Holesize matters in this readme.\n":   false,
	} {
		if got := Sniff([]byte(in)) > 0.5; got != want {
			t.Errorf("Sniff(%q) says drill %v, want %v", in, got, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"M48\nMETRIC,LZ,000.000\nT01C0.305\n%\nG05\nT01\nX098483Y078245\nX1Y2G85X3Y4\nM30\n",
		"M48\nINCH,TZ\nT1C0.05\n%\nM25\nT1\nX1Y1\nR5X1000\nM01\nM02X1Y1M70\nG00X0Y0\nM15\nG02X1Y1A1\nG03I1J1\nM17\nM30\n",
		";T01 Holesize 1. = 12.0 PLATED MILS Quantity = 1\n%\nG90\nX004450Y000200\nM00\nX1\nM30\n",
		"%%3000\nT1C0.8\nX1000Y2000T1\n$", "G93X1Y1\nG32X1Y1A1\nX1Y1G84X5\nICI,ON\nT0101\n",
		"; #@! TF.FileFunction,Plated,1,4,PTH\n;FORMAT={2:4/ absolute / inch / suppress leading zeros}\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		opt := Options{Extents: geom.BoxOf(geom.Point{}, geom.Pt(1e8, 1e8)), Pads: []geom.Point{{X: 1e6, Y: 1e6}}}
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 5000})
		defer end()
		out := Read(ctx, data, opt)
		if out.Holes()+len(out.Paths) > 5000+1 {
			t.Errorf("%d holes and %d paths of %q, want 5000 at most", out.Holes(), len(out.Paths), data)
		}
		for _, h := range out.Hits {
			if h.Tool < 0 || h.Tool >= len(out.Tools) {
				t.Fatalf("a hole of tool %d, want one of %d", h.Tool, len(out.Tools))
			}
		}
		for _, p := range out.Paths {
			for _, b := range p.Bends {
				if int(b.At)+1 >= len(p.Points) {
					t.Fatalf("a bend at %d of a path of %d points", b.At, len(p.Points))
				}
			}
		}
	})
}
