package ipc2581

import (
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
)

// TestStackup: the layers of the build with what their specifications say.
func TestStackup(t *testing.T) {
	t.Parallel()
	text := strings.NewReplacer(
		`<Spec name="FIN">`, `<Spec name="CORE"><General type="MATERIAL"><Property text="Rogers 4350"/></General><Dielectric type="DIELECTRIC_CONSTANT"><Property value="3.66"/></Dielectric><Dielectric type="LOSS_TANGENT"><Property value="0.004"/></Dielectric></Spec><Spec name="FIN">`,
		`<Layer name="DR"`, `<Layer name="C1" layerFunction="DIELCORE" side="INTERNAL"/><Layer name="P1" layerFunction="DIELPREG" side="INTERNAL"/><Layer name="B1" layerFunction="DIELBASE" side="INTERNAL"/><Layer name="DR"`,
		`<StackupLayer layerOrGroupRef="L2"`, `<StackupLayer layerOrGroupRef="C1" thickness="0.5" sequence="2"><SpecRef id="CORE"/></StackupLayer><StackupLayer layerOrGroupRef="P1" thickness="0.1" sequence="3"/><StackupLayer layerOrGroupRef="B1" sequence="3"/><StackupLayer layerOrGroupRef="GONE" sequence="9"/><StackupLayer layerOrGroupRef="L2"`,
	).Replace(header)
	b := readText(t, text+profile+footer)[0]
	want := []struct {
		name      string
		kind      pcb.StackupKind
		thickness int64
	}{
		{"SMT", pcb.StackMask, 20_000}, {"TOP", pcb.StackCopper, 70_000}, {"C1", pcb.StackCore, 500_000}, {"P1", pcb.StackPrepreg, 100_000},
		{"B1", pcb.StackDielectric, 0}, {"L2", pcb.StackCopper, 35_000}, {"BOT", pcb.StackCopper, 70_000}, {"GONE", pcb.StackOther, 0},
	}
	if len(b.Stackup) != len(want) {
		t.Fatalf("%d layers, want %d: %+v", len(b.Stackup), len(want), b.Stackup)
	}
	for i, w := range want {
		if x := b.Stackup[i]; x.Name != w.name || x.Kind != w.kind || x.Thickness.Value != w.thickness || x.Thickness.Known != (w.thickness > 0) {
			t.Errorf("layer %d: %+v, want %+v", i, x, w)
		}
	}
	if c := b.Stackup[2]; c.Material != "Rogers 4350" || c.EpsilonR != 3.66 || c.LossTan != 0.004 {
		t.Errorf("the core is %+v, want Rogers 4350, 3.66, 0.004", c)
	}
	if b.Facts.Material.Value != "Rogers 4350" {
		t.Errorf("material %+v, want Rogers 4350", b.Facts.Material)
	}
}

func TestColours(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"Color : Blue": "Blue", "colour:Red": "Red", " COLOR : matte black ": "matte black", "Blue": "", "Finish : ENIG": "", "": "", ":": ""} {
		if got, ok := colour(in); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", in, got, ok, want)
		}
	}
}

// TestSpecifications: what the head of the file says of finish, impedance and history.
func TestSpecifications(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from, to string
		holds          func(f *pcb.Facts) bool
	}{
		{"a finish", ``, ``, func(f *pcb.Facts) bool { return f.Finish.Value == "ENIG-N" }},
		{"a finish that is none", `"ENIG-N"`, `"OTHER"`, func(f *pcb.Facts) bool { return !f.Finish.Known }},
		{"impedance", `<Spec name="FIN">`, `<Spec name="Z"><Impedance type="IMPEDANCE"><Property value="50"/></Impedance></Spec><Spec name="FIN">`, func(f *pcb.Facts) bool { return f.Impedance.Value }},
		{"back drilling", `<Spec name="FIN">`, `<Spec name="B"><Backdrill type="START_LAYER"><Property text="TOP"/></Backdrill></Spec><Spec name="FIN">`,
			func(f *pcb.Facts) bool { return len(f.Processes) == 1 && f.Processes[0].Value == pcb.BackDrilling }},
		{"a cavity", `<Spec name="FIN">`, `<Spec name="C"><SlotCavity type="DEPTH"><Property value="0.4"/></SlotCavity></Spec><Spec name="FIN">`,
			func(f *pcb.Facts) bool { return len(f.Processes) == 1 && f.Processes[0].Value == pcb.DepthRouting }},
		{"plated edges", `<Spec name="FIN">`, `<Spec name="E"><EdgePlating/></Spec><Spec name="FIN">`, func(f *pcb.Facts) bool { return f.EdgePlating.Value }},
		{"no process", ``, ``, func(f *pcb.Facts) bool { return len(f.Processes) == 0 && !f.EdgePlating.Known }},
		{"no impedance", ``, ``, func(f *pcb.Facts) bool { return !f.Impedance.Known }},
		{"FR-4 is nobody's choice", `"Color : Blue"`, `"FR-4"`, func(f *pcb.Facts) bool { return !f.Material.Known }},
		{"a date of origin", ` lastChange="2026-01-03"`, ``, func(f *pcb.Facts) bool { return f.Date.Value == "2026-01-02" }},
		{"a package of software", `lastChange="2026-01-03"/>`, `><FileRevision fileRevisionId="B"><SoftwarePackage vendor="V" name="N" revision="1"/></FileRevision></HistoryRecord>`,
			func(f *pcb.Facts) bool { return f.Tool.Value == "V N 1" && f.Revision.Value == "B" }},
		{"a thickness", ``, ``, func(f *pcb.Facts) bool { return f.Thickness.Value == 1*mm && f.Thickness.IsStated() }},
		{"no thickness", `overallThickness="1.0"`, ``, func(f *pcb.Facts) bool { return !f.Thickness.Known }},
		{"a thickness of words", `overallThickness="1.0"`, `overallThickness="thin"`, func(f *pcb.Facts) bool { return !f.Thickness.Known }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := header
			if c.from != "" {
				if !strings.Contains(text, c.from) {
					t.Fatalf("the head has no %s", c.from)
				}
				text = strings.Replace(text, c.from, c.to, 1)
			}
			if b := readText(t, text+profile+footer)[0]; !c.holds(&b.Facts) {
				t.Errorf("facts %+v are not those of %s", b.Facts, text)
			}
		})
	}
}

// TestPolylinesCloseThemselves: one that comes back to its start has all its pieces.
func TestPolylinesCloseThemselves(t *testing.T) {
	t.Parallel()
	b := readOne(t, `<LayerFeature layerRef="TOP"><Set net="A"><Features><Polyline><PolyBegin x="0" y="0"/><PolyStepSegment x="4" y="0"/><PolyStepSegment x="4" y="4"/><PolyStepSegment x="0" y="0"/><LineDesc lineWidth="0.2"/></Polyline></Features></Set></LayerFeature>`)
	if n := len(b.Copper()[0].Features); n != 3 {
		t.Errorf("%d pieces, want 3", n)
	}
}

// TestSniff: the beginning of a file tells, wherever in it the root stands.
func TestSniff(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		header:                                   true,
		"<!-- a comment --><IPC-2581 revision=":  true,
		"<ipc-2581>":                             false,
		"<html>":                                 false,
		"":                                       false,
		strings.Repeat(" ", 5000) + "<IPC-2581>": false,
	} {
		if got := Is("", []byte(in)); got != want {
			t.Errorf("Is(%.30q) = %v, want %v", in, got, want)
		}
	}
}

// TestLayersForProcesses: the function of a layer says what it is for that a plain board is
// made without.
func TestLayersForProcesses(t *testing.T) {
	t.Parallel()
	for function, want := range map[string]pcb.Process{
		"STIFFENER": pcb.Stiffening, "HOLEFILL": pcb.ViaFilling, "RESISTIVE": pcb.EmbeddedParts, "SOLDERMASK": "", "DOCUMENT": "",
	} {
		text := strings.Replace(header, `layerFunction="SOLDERMASK" side="TOP"`, `layerFunction="`+function+`" side="TOP"`, 1)
		b := readText(t, text+profile+`<LayerFeature layerRef="SMT"><Set><Features><Line startX="0" startY="0" endX="1" endY="0"><LineDesc lineWidth="0.2"/></Line></Features></Set></LayerFeature>`+footer)[0]
		for _, l := range b.Layers {
			if l.Name == "SMT" && l.Process != want {
				t.Errorf("%s is for %q, want %q", function, l.Process, want)
			}
		}
	}
}

// TestUntouchedBuild: the build that Altium writes by itself is stated by nobody, and one
// value that somebody changed makes it a choice.
func TestUntouchedBuild(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		outer  string // mm
		core   string // mm
		stated bool
	}{
		{"as Altium begins", "0.03556", "0.32004", false},
		{"another core", "0.03556", "0.36", true},
		{"two ounces", "0.07112", "0.32004", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.NewReplacer(
				`<Layer name="DR"`, `<Layer name="C1" layerFunction="DIELCORE" side="INTERNAL"/><Layer name="P1" layerFunction="DIELPREG" side="INTERNAL"/><Layer name="DR"`,
				`thickness="0.07"`, `thickness="`+c.outer+`"`,
				`<StackupLayer layerOrGroupRef="L2"`, `<StackupLayer layerOrGroupRef="C1" thickness="`+c.core+`" sequence="2"/><StackupLayer layerOrGroupRef="L2"`,
				`<StackupLayer layerOrGroupRef="BOT"`, `<StackupLayer layerOrGroupRef="P1" thickness="0.07112" sequence="3"/><StackupLayer layerOrGroupRef="BOT"`,
			).Replace(header)
			b := readText(t, text+profile+footer)[0]
			if f := b.Facts.Thickness; !f.Known || f.IsStated() != c.stated {
				t.Errorf("thickness %+v, want stated %v", f, c.stated)
			}
			for _, l := range b.Stackup {
				if l.Thickness.Known && l.Thickness.IsStated() != c.stated {
					t.Errorf("%s: %+v, want stated %v", l.Name, l.Thickness, c.stated)
				}
			}
		})
	}
}
