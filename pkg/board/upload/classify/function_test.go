package classify

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// TestFunction: the values of the attribute .FileFunction, after the Gerber specification.
func TestFunction(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Evidence{
		"Copper,L1,Top":                {Role: pcb.RoleCopper, Side: pcb.Top, Order: 1},
		"Copper,L2,Inr,Plane":          {Role: pcb.RoleCopper, Side: pcb.Inner, Order: 2},
		"Copper,L4,Bot":                {Role: pcb.RoleCopper, Side: pcb.Bottom, Order: 4},
		"Copper,L4,Bot,Mixed":          {Role: pcb.RoleCopper, Side: pcb.Bottom, Order: 4},
		"Copper,L1":                    {Role: pcb.RoleCopper, Side: pcb.Top, Order: 1},
		"Copper,L0,Inr":                {Role: pcb.RoleCopper, Side: pcb.Inner},
		"Copper,L128,Bot":              {Role: pcb.RoleCopper, Side: pcb.Bottom, Order: 128},
		"Copper,L129,Bot":              {Role: pcb.RoleCopper, Side: pcb.Bottom},
		"Copper,Lx,Bot":                {Role: pcb.RoleCopper, Side: pcb.Bottom},
		" copper , l3 , inr ":          {Role: pcb.RoleCopper, Side: pcb.Inner, Order: 3},
		"Soldermask,Top":               {Role: pcb.RoleMask, Side: pcb.Top},
		"Soldermask,Bot,2":             {Role: pcb.RoleMask, Side: pcb.Bottom},
		"Soldermask":                   {Role: pcb.RoleMask},
		"Paste,Bot":                    {Role: pcb.RolePaste, Side: pcb.Bottom},
		"Legend,Top,1":                 {Role: pcb.RoleSilk, Side: pcb.Top},
		"Glue,Top":                     {Role: pcb.RoleGlue, Side: pcb.Top},
		"Profile,NP":                   {Role: pcb.RoleOutline},
		"Plated,1,4,PTH":               {Role: pcb.RoleDrill, From: 1, To: 4, Plating: pcb.Plated},
		"Plated,1,2,Blind,Drill":       {Role: pcb.RoleDrill, From: 1, To: 2, Plating: pcb.Plated},
		"Plated,4,2,Buried":            {Role: pcb.RoleDrill, From: 2, To: 4, Plating: pcb.Plated},
		"Plated,0,4,PTH":               {Role: pcb.RoleDrill, Plating: pcb.Plated},
		"Plated,1,129,PTH":             {Role: pcb.RoleDrill, Plating: pcb.Plated},
		"Plated,1,128,PTH":             {Role: pcb.RoleDrill, From: 1, To: 128, Plating: pcb.Plated},
		"Plated,a,b":                   {Role: pcb.RoleDrill, Plating: pcb.Plated},
		"Plated,1":                     {Role: pcb.RoleDrill, Plating: pcb.Plated},
		"NonPlated,1,2,NPTH":           {Role: pcb.RoleDrill, From: 1, To: 2, Plating: pcb.NonPlated},
		"MixedPlating,1,2":             {Role: pcb.RoleDrill, From: 1, To: 2, Plating: pcb.MixedPlating},
		"Drillmap":                     {Role: pcb.RoleDrillDrawing},
		"AssemblyDrawing,Top":          {Role: pcb.RoleAssembly, Side: pcb.Top},
		"Component,L1,Top":             {Role: pcb.RoleAssembly, Side: pcb.Top},
		"FabricationDrawing":           {Role: pcb.RoleFabDrawing},
		"ArrayDrawing":                 {Role: pcb.RoleFabDrawing},
		"Vcut,Top":                     {Role: pcb.RoleVCut, Side: pcb.Top},
		"Vcutmap":                      {Role: pcb.RoleFabDrawing},
		"Viafill":                      {Role: pcb.RoleViaFill, Process: pcb.ViaFilling},
		"Viatenting,Top":               {Role: pcb.RoleViaFill, Side: pcb.Top},
		"Carbonmask,Top":               {Role: pcb.RoleCarbon, Side: pcb.Top, Process: pcb.CarbonPrinting},
		"Goldmask,Bot":                 {Role: pcb.RoleGoldFinger, Side: pcb.Bottom, Process: pcb.SelectiveFinish},
		"Silvermask,Top":               {Role: pcb.RoleOther, Side: pcb.Top, Process: pcb.SelectiveFinish},
		"Tinmask,Top":                  {Role: pcb.RoleOther, Side: pcb.Top, Process: pcb.SelectiveFinish},
		"Heatsinkmask,Bot":             {Role: pcb.RoleOther, Side: pcb.Bottom, Process: pcb.HeatsinkMasking},
		"Peelablemask,Top":             {Role: pcb.RolePeelable, Side: pcb.Top, Process: pcb.PeelableMasking},
		"Peelablesoldermask,Top":       {Role: pcb.RolePeelable, Side: pcb.Top, Process: pcb.PeelableMasking},
		"Depthrout,Top":                {Role: pcb.RoleOther, Side: pcb.Top, Process: pcb.DepthRouting},
		"Pads,Top":                     {Role: pcb.RoleOther, Side: pcb.Top},
		"Keep-out,Top":                 {Role: pcb.RoleKeepOut, Side: pcb.Top},
		"Other,Comment":                {Role: pcb.RoleFabDrawing},
		"Other,Stiffener top":          {Role: pcb.RoleFabDrawing, Process: pcb.Stiffening},
		"OtherDrawing,Hole dimensions": {Role: pcb.RoleFabDrawing},
	} {
		got, ok := Function(in)
		weight := got.Weight
		got.Weight, got.Why = 0, ""
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("Function(%q): known %v (-want +got):\n%s", in, ok, diff)
		}
		heavy := 10.0
		if in[:5] == "Other" {
			heavy = 1 // it says that the tool has no word for it: a name may tell more
		}
		if weight != heavy {
			t.Errorf("Function(%q) has weight %v, want %v", in, weight, heavy)
		}
	}
	for _, in := range []string{"", ",", "Nonsense", "L1,Top", "Copper L1 Top"} {
		if got, ok := Function(in); ok {
			t.Errorf("Function(%q) = %+v, want it unknown", in, got)
		}
	}
}
