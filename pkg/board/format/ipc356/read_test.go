package ipc356

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

const sample = `C  a comment
P  JOB   demo
P  CODE 00
P  UNITS CUST 0
P  TITLE Demo board
P  VER IPC-D-356A
P  NNAME1  A_VERY_LONG_NET_NAME
317/CLOCK-RB6       VIA        MD0236PA00X+050250Y+017000X0630Y0000R000S3
317NNAME1           C1    -1    D0472PA00X+019000Y+029450X0945Y0945R180S0
327GND              U1    -12         A01X+010000Y-010000X0100Y0200R090S2
367N/C              H1          D1260UA00X+029528Y+018504X1260Y0000R000S0
367                       -     D0310UA00X+021449Y+026750X0310Y         S3
389BOARD_EDGE     X+000000Y+000000 X+010000 Y+020000 X+000000
089               X+000000Y+000000
999
`

func mils(x, y float64) geom.Point { return geom.Pt(geom.Inches(x/1000), geom.Inches(y/1000)) }

func TestRead(t *testing.T) {
	t.Parallel()
	n := Read([]byte(sample))
	want := []Point{
		{Kind: Through, Net: "/CLOCK-RB6", Via: true, Mid: true, At: mils(5025, 1700), Diameter: geom.Inches(0.0236), Plating: pcb.Plated, Width: geom.Inches(0.063), Line: 8},
		{Kind: Through, Net: "A_VERY_LONG_NET_NAME", Ref: "C1", Pin: "1", At: mils(1900, 2945), Diameter: geom.Inches(0.0472), Plating: pcb.Plated,
			Width: geom.Inches(0.0945), Height: geom.Inches(0.0945), Rotation: 180, Line: 9},
		{Kind: Surface, Net: "GND", Ref: "U1", Pin: "12", At: mils(1000, -1000), Access: 1, Width: geom.Inches(0.01), Height: geom.Inches(0.02), Rotation: 90, Line: 10},
		{Kind: Tooling, Ref: "H1", At: mils(2952.8, 1850.4), Diameter: geom.Inches(0.126), Plating: pcb.NonPlated, Width: geom.Inches(0.126), Line: 11},
		{Kind: Tooling, At: mils(2144.9, 2675), Diameter: geom.Inches(0.031), Plating: pcb.NonPlated, Width: geom.Inches(0.031), Line: 12},
	}
	if diff := cmp.Diff(want, n.Points); diff != "" {
		t.Errorf("points (-want +got):\n%s", diff)
	}
	if n.Title != "Demo board" || n.Version != "IPC-D-356A" || n.Nets != 3 || !n.Ended || len(n.Findings) != 0 {
		t.Errorf("title %q, version %q, %d nets, ended %v, findings %v; want Demo board, IPC-D-356A, 3, true, none", n.Title, n.Version, n.Nets, n.Ended, n.Findings)
	}
	outline := []geom.Path{{Points: []geom.Point{{}, mils(1000, 0), mils(1000, 2000), mils(0, 2000), {}}, Closed: true}}
	if diff := cmp.Diff(outline, n.Outline); diff != "" {
		t.Errorf("outline (-want +got):\n%s", diff)
	}
}

func TestMetric(t *testing.T) {
	t.Parallel()
	n := Read([]byte("P  UNITS CUST 1\n317GND              R1    -1    D3000PA00X+143800Y+123690X1000Y         S3\n999\n"))
	if !n.Metric || len(n.Points) != 1 || n.Points[0].At != geom.Pt(geom.MM(143.8), geom.MM(123.69)) || n.Points[0].Diameter != geom.MM(3) {
		t.Errorf("a metric point = %+v, want one at 143.8,123.69 mm of 3 mm", n)
	}
}

func TestFindings(t *testing.T) {
	t.Parallel()
	n := Read([]byte("P  UNITS CUST 0\n317 this record has lost its columns and says nothing\n"))
	var got []string
	for _, f := range n.Findings {
		got = append(got, f.Code)
	}
	if diff := cmp.Diff([]string{"netlist_unreadable", "netlist_truncated"}, got); diff != "" {
		t.Errorf("findings of a record without columns (-want +got):\n%s", diff)
	}
	if n.Findings[0].Line != 2 {
		t.Errorf("finding on line %d, want 2", n.Findings[0].Line)
	}
}

func TestManyBadRecordsAreCounted(t *testing.T) {
	t.Parallel()
	n := Read([]byte(strings.Repeat("317 bad\n", 100) + "999\n"))
	if len(n.Findings) != maxFindings+1 || !strings.Contains(n.Findings[maxFindings].Message, "100") {
		t.Errorf("%d findings of 100 bad lines, want %d and how many there are", len(n.Findings), maxFindings+1)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(sample))
	f.Add([]byte("P  UNITS SI\n389BOARD_EDGE X1Y1*X2\n327\n317NET-(C1-PAD1)    C1234567-1    D0472PA00X+1Y+2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		n := Read(data)
		if n.Nets > len(n.Points) {
			t.Errorf("%d nets of %d points, want no more than points", n.Nets, len(n.Points))
		}
	})
}

// TestPaddedPlaces: numbers that are padded with blanks behind their sign.
func TestPaddedPlaces(t *testing.T) {
	t.Parallel()
	n := Read([]byte("P  UNITS CUST 0\n317$Net7            VIA   -    MD0080PA00X-     9Y+005610X0137          S3\n327$Net456                -           A01X+020930Y+     0X0314          S3\n999\n"))
	if len(n.Findings) != 0 || len(n.Points) != 2 || n.Points[0].At != geom.Pt(-9*2540, 5610*2540) || n.Points[1].At != geom.Pt(20930*2540, 0) || n.Points[0].Width != 137*2540 {
		t.Errorf("padded numbers: points %+v, findings %+v; want two at -9,5610 and 20930,0 ten-thousandths of an inch, the first 137 wide, and no finding", n.Points, n.Findings)
	}
}
