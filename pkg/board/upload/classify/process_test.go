package classify

import (
	"testing"

	"boardorder/pkg/board/pcb"
)

// TestProcesses: what a file is for that a plain board is made without.
func TestProcesses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, data string
		role             pcb.Role
		process          pcb.Process
	}{
		{"an attribute", "a.gbr", gerberWith("%TF.FileFunction,Carbonmask,Top*%"), pcb.RoleCarbon, pcb.CarbonPrinting},
		{"the attribute of another thing and its word", "a.gbr", gerberWith("%TF.FileFunction,Other,Stiffener*%"), pcb.RoleOther, pcb.Stiffening},
		{"the name of a layer without a meaning", "x-Stiffener.gm5", anyGerber, pcb.RoleOther, pcb.Stiffening},
		{"a mask that is a coverlay", "top-coverlay.gbr", anyGerber, pcb.RoleMask, pcb.Coverlaying},
		{"a mask of a board that is called by carbon", "carbon-mask-top.gts", anyGerber, pcb.RoleMask, ""},
		{"copper is copper whatever the board is called", "stiffener.gtl", anyGerber, pcb.RoleCopper, ""},
		{"an outline is one whatever the board is called", "stiffener.gko", anyGerber, pcb.RoleOutline, ""},
		{"drills of press-fit holes by name", "x-pressfit.drl", anyDrill, pcb.RoleDrill, pcb.PressFitting},
		{"countersinks by name", "x-countersink.drl", anyDrill, pcb.RoleDrill, pcb.DepthRouting},
		{"drills of a board called carbon", "carbon.drl", anyDrill, pcb.RoleDrill, ""},
		{"press-fit tools", "x.drl", "; #@! TA.AperFunction,Plated,PTH,ComponentDrill,PressFit\n" + anyDrill, pcb.RoleDrill, pcb.PressFitting},
		{"vias that are filled, of IPC-4761 type VII", "x.drl", "; #@! TA.AperFunction,Plated,PTH,ViaDrill,VII\n" + anyDrill, pcb.RoleDrill, pcb.ViaFilling},
		{"vias that are filled, in the old word", "x.drl", "; #@! TA.AperFunction,Plated,PTH,ViaDrill,Filled\n" + anyDrill, pcb.RoleDrill, pcb.ViaFilling},
		{"vias that are tented, of type I", "x.drl", "; #@! TA.AperFunction,Plated,PTH,ViaDrill,I\n" + anyDrill, pcb.RoleDrill, ""},
		{"vias that are plugged, of type III", "x.drl", "; #@! TA.AperFunction,Plated,PTH,ViaDrill,III\n" + anyDrill, pcb.RoleDrill, ""},
		{"a type that is none of vias", "x.drl", "; #@! TA.AperFunction,Plated,PTH,ComponentDrill,VII\n" + anyDrill, pcb.RoleDrill, ""},
		{"a cavity", "x.drl", "; #@! TA.AperFunction,NonPlated,NPTH,Cavity\n" + anyDrill, pcb.RoleDrill, pcb.DepthRouting},
		{"back drilling in two words", "back_drill_L6-L3.art", anyGerber, pcb.RoleOther, pcb.BackDrilling},
		{"back drilling with a hyphen", "x-back-drilling-bottom.gbr", anyGerber, pcb.RoleOther, pcb.BackDrilling},
		{"back drills", "BackDrills_1-4.gbr", anyGerber, pcb.RoleOther, pcb.BackDrilling},
		{"the drills of the back", "Back_Drill.gbr", anyGerber, pcb.RoleDrillDrawing, ""},
		{"a drawing of the back's drills", "bottom drill drawing.gbr", anyGerber, pcb.RoleDrillDrawing, ""},
		{"plain tools", "x.drl", "; #@! TA.AperFunction,Plated,PTH,ComponentDrill\n" + anyDrill, pcb.RoleDrill, ""},
		{"KiCad's filled vias", "x-filling-front-back.drl", anyDrill, pcb.RoleViaFill, pcb.ViaFilling},
		{"KiCad's filled vias of inner layers", "x-filling-in1-in2.drl", anyDrill, pcb.RoleViaFill, pcb.ViaFilling},
		{"KiCad's capped vias", "x-capping-front-back.drl", anyDrill, pcb.RoleViaFill, pcb.ViaFilling},
		{"KiCad's plugged vias", "x-plugging-front.drl", anyDrill, pcb.RoleViaFill, pcb.ViaFilling},
		{"KiCad's tented vias", "x-tenting-back.drl", anyDrill, pcb.RoleViaFill, ""},
		{"KiCad's covered vias", "x-covering-back.drl", anyDrill, pcb.RoleViaFill, ""},
		{"a film that is called so is no program", "x-tenting-back.gbr", anyGerber, pcb.RoleCopper, ""},
	} {
		r := classifyAll(c.file, c.data).Results[0]
		if r.Role != c.role || r.Process != c.process {
			t.Errorf("%s: %s with %.80q is %v for %q, want %v for %q", c.name, c.file, c.data, r.Role, r.Process, c.role, c.process)
		}
	}
}

// TestHolesOfTheirOwnKind: programs of holes that end within the board, and of half-holes on its edge.
func TestHolesOfTheirOwnKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, data        string
		sunk, castellated bool
	}{
		{"x-countersink.drl", anyDrill, true, false},
		{"x-depth-milling.drl", anyDrill, true, false},
		{"x-countersink.gbr", anyGerber, false, false},
		{"x-PTH.drl", anyDrill, false, false},
		{"x-castellated.drl", anyDrill, false, true},
		{"x-CastellationHoles.drl", anyDrill, false, true},
		{"x-half-holes.drl", anyDrill, false, true},
		{"x-halfhole.drl", anyDrill, false, true},
		{"x-half.drl", anyDrill, false, false},
		{"x-castellated.gbr", anyGerber, false, false},
	} {
		r := classifyAll(c.file, c.data).Results[0]
		if got := [2]bool{r.IsSunk(), r.IsCastellated()}; got != [2]bool{c.sunk, c.castellated} {
			t.Errorf("%s: sunk, castellated = %v, want %v (role %v, process %q)", c.file, got, [2]bool{c.sunk, c.castellated}, r.Role, r.Process)
		}
	}
}
