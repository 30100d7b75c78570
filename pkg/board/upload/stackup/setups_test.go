package stackup_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
	"boardorder/pkg/board/upload"
)

// TestSetups: what attributes, names and job files state of the build is a fact of the board.
func TestSetups(t *testing.T) {
	t.Parallel()
	edge := func(f string) uploads.Set {
		return uploads.Set{"x-Edge_Cuts.gbr": uploads.Gerber(uploads.Function(f), uploads.OutlineLines...)}
	}
	stack := func(layers string) uploads.Set {
		return uploads.Set{"x.gbrjob": `{"Header":{"GenerationSoftware":{"Vendor":"KiCad"}},"GeneralSpecs":{"LayerNumber":2,"BoardThickness":1.6},"MaterialStackup":[` + layers + `]}`}
	}
	sheet := func(material string) string {
		return `{"Type":"Dielectric","Material":"` + material + `","Thickness":0.7}`
	}
	mask := func(colour string) string { return `{"Type":"SolderMask","Color":"` + colour + `"}` }
	score := func(lines ...string) uploads.Set {
		return uploads.Set{"x-V_Cut.gbr": uploads.Gerber(uploads.Function("Vcut"), lines...)}
	}
	for name, c := range map[string]struct {
		more uploads.Set
		want string
	}{
		"nothing":                          {nil, ""},
		"an edge without plating":          {edge("Profile,NP"), ""},
		"a plated edge":                    {edge("Profile,P"), "plated edge"},
		"a plated edge by the job":         {uploads.Set{"x.gbrjob": strings.TrimSuffix(uploads.Job(`"Finish":"None"`), "}") + `,"FilesAttributes":[{"Path":"x-Edge_Cuts.gbr","FileFunction":"Profile,P"}]}`}, "plated edge"},
		"a bevelled connector":             {uploads.Set{"x.gbrjob": uploads.Job(`"EdgeConnector":"yes, bevelled"`)}, "fingers bevelled"},
		"a connector that is bevelled":     {uploads.Set{"x.gbrjob": uploads.Job(`"EdgeConnectorBevelled":true`)}, "fingers bevelled"},
		"a connector":                      {uploads.Set{"x.gbrjob": uploads.Job(`"EdgeConnector":"yes"`)}, "fingers"},
		"masks of two colours":             {stack(mask("Black") + "," + mask("White")), "mask Black top, White bottom"},
		"masks of one colour":              {stack(mask("Black") + "," + mask("black")), "mask Black"},
		"one mask":                         {stack(mask("Black") + "," + mask("Not specified")), "mask Black"},
		"two laminates":                    {stack(sheet("RO4350B") + "," + sheet("FR4")), "material RO4350B + FR4, 1.6 mm"},
		"another laminate":                 {stack(sheet("RO4350B") + "," + sheet("RO4350B")), "material RO4350B, 1.6 mm"},
		"the usual laminate":               {stack(sheet("FR4") + "," + sheet("FR4")), "material FR4"},
		"a drill file of half-holes":       {uploads.Set{"x-castellated.drl": uploads.Drill("", "0,5")}, "castellations"},
		"scores within":                    {score("10,0 10,10"), "panel"},
		"scores along the edge":            {score("20,0 20,10"), ""},
		"scores along the edge and within": {score("20,0 20,10", "10,0 10,10"), "panel"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := uploads.Ordinary().Merge(c.more).Read(t).Boards[0].Facts
			var got []string
			say := func(is bool, format string, args ...any) {
				if is {
					got = append(got, fmt.Sprintf(format, args...))
				}
			}
			say(f.EdgePlating.Value, "plated edge")
			say(f.GoldFingers.Value && !f.Bevel.Value, "fingers")
			say(f.Bevel.Value, "fingers bevelled")
			say(f.MaskColour.IsStated(), "mask %s", f.MaskColour.Value)
			say(f.Material.IsStated(), "material %s", f.Material.Value)
			say(f.Thickness.IsStated() && f.Material.IsStated(), "1.6 mm")
			say(f.Castellations.Value, "castellations")
			say(f.Panel.Value, "panel")
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// TestDrillNames: a drill program that is called by a process is for that, and what is sunk
// into the board is no hole through it.
func TestDrillNames(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file  string
		at    string
		needs pcb.Process
		holes int
	}{
		"a countersink":                    {"x-countersink.drl", "3,3", pcb.DepthRouting, 3},
		"a countersink round a hole":       {"x-countersink.drl", "5,5", pcb.DepthRouting, 3},
		"filled vias of their own":         {"x-epoxy-plug.drl", "3,3", pcb.ViaFilling, 4},
		"filled vias that others drill":    {"x-viafill.drl", "5,5", pcb.ViaFilling, 3},
		"a plug":                           {"x-plug.drl", "3,3", "", 4},
		"a board that is called by a word": {"x-sink.drl", "3,3", "", 4},
	} {
		b := uploads.Ordinary().Merge(uploads.Set{c.file: uploads.Drill("", c.at)}).Read(t).Boards[0]
		needs := pcb.Process("")
		for _, p := range b.Facts.Processes {
			needs = p.Value
		}
		if needs != c.needs || len(b.Holes) != c.holes {
			t.Errorf("%s: needs %q, %d holes; want %q, %d", name, needs, len(b.Holes), c.needs, c.holes)
		}
	}
}

// TestUnitOfTools: tools that take their pads away and would fit them in the other unit are
// asked for, with their sizes in that unit; the answer is taken, checks skipped or not.
func TestUnitOfTools(t *testing.T) {
	t.Parallel()
	drills := func(head, sizes string) string {
		return "M48\n" + head + "\n" + sizes + "\n%\nG90\nT1\nX0.196850Y0.196850\nX0.393701Y0.196850\nX0.590551Y0.196850\nM30\n"
	}
	for name, c := range map[string]struct {
		drill     string
		requested bool
	}{
		"millimetres under inches": {drills("INCH", "T1C0.8"), true},
		"inches":                   {drills("INCH", "T1C0.031"), false},
		"as large as its pad":      {drills("INCH", "T1C0.063"), false}, // and too small in millimetres
		"inches under millimetres": {"M48\nMETRIC\nT1C0.0315\n%\nG90\nT1\nX5.0Y5.0\nX10.0Y5.0\nX15.0Y5.0\nM30\n", true},
	} {
		s := uploads.Ordinary().Merge(uploads.Set{"x-PTH.drl": c.drill})
		var requested *pcb.Finding
		find := func(b *pcb.Board) *pcb.Finding {
			i := slices.IndexFunc(b.Findings, func(f pcb.Finding) bool { return f.Code == "drill_tool_unit" && f.Level == pcb.Problem })
			if i < 0 {
				return nil
			}
			return &b.Findings[i]
		}
		if requested = find(s.Read(t).Boards[0]); (requested != nil) != c.requested {
			t.Errorf("%s: asked %+v, want %v", name, requested, c.requested)
		}
		if requested == nil {
			continue
		}
		sizes, _ := requested.Answers[0].Value.(map[string]any)["x-PTH.drl"].(map[string]float64)
		p := upload.Read(t.Context(), s.Files(), upload.Options{Answers: &answers.FileAnswers{ToolSizes: map[string]map[string]float64{"x-PTH.drl": sizes}}})
		if b := p.Boards[0]; find(b) != nil || len(p.Refused) > 0 || b.Holes[0].Diameter < 790_000 || b.Holes[0].Diameter > 810_000 {
			t.Errorf("%s: with %v: findings %+v, refused %+v, holes %+v; want the sizes taken and 0.8 mm", name, sizes, b.Findings, p.Refused, b.Holes)
		}
	}
}
