package classify

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

// TestExtensionWitness: what an extension says by itself, in lower case and without its dot.
func TestExtensionEvidence(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Evidence{
		"gtl":     {Role: pcb.RoleCopper, Side: pcb.Top, Weight: weightExtension},
		"gbs":     {Role: pcb.RoleMask, Side: pcb.Bottom, Weight: weightExtension},
		"g1":      {Role: pcb.RoleCopper, Side: pcb.Inner, Rank: 1, Weight: weightExtension},
		"g12":     {Role: pcb.RoleCopper, Side: pcb.Inner, Rank: 12, Weight: weightExtension},
		"in2":     {Role: pcb.RoleCopper, Side: pcb.Inner, Rank: 2, Weight: weightExtension},
		"inner10": {Role: pcb.RoleCopper, Side: pcb.Inner, Rank: 10, Weight: weightExtension},
		"gp1":     {Role: pcb.RoleCopper, Side: pcb.Inner, Rank: 101, Weight: weightExtension},
		"gl1":     {Role: pcb.RoleCopper, Side: pcb.Top, Order: 1, Weight: weightExtension},
		"gl2":     {Role: pcb.RoleCopper, Side: pcb.Inner, Order: 2, Weight: weightExtension},
		"l4":      {Role: pcb.RoleCopper, Side: pcb.Inner, Order: 4, Weight: weightExtension},
		"lyr3":    {Role: pcb.RoleCopper, Side: pcb.Inner, Order: 3, Weight: weightExtension},
		"g1l":     {Role: pcb.RoleCopper, Side: pcb.Top, Order: 1, Weight: weightExtension},
		"g15l":    {Role: pcb.RoleCopper, Side: pcb.Inner, Order: 15, Weight: weightExtension},
		"gm1":     {Role: pcb.RoleOutline, Weight: weightExtension - 1},
		"gm":      {Role: pcb.RoleOutline, Weight: weightExtension},
		"gm2":     {Role: pcb.RoleMechanical, Weight: weightExtension},
		"gm13":    {Role: pcb.RoleMechanical, Weight: weightExtension},
		"gd1":     {Role: pcb.RoleDrillDrawing, Weight: weightExtension},
		"gg1":     {Role: pcb.RoleDrillDrawing, Weight: weightExtension},
		"gbr":     {},
		"g":       {},
		"g1234":   {},
		"g100l":   {},
		"txt":     {},
		"":        {},
	} {
		got, ok := extensionEvidence(in)
		if known := want.Role != pcb.RoleUnknown; ok != known {
			t.Errorf("extensionEvidence(%q) is known: %v, want %v", in, ok, known)
		}
		if diff := cmp.Diff(want, trimWhy(got)); diff != "" {
			t.Errorf("extensionEvidence(%q) (-want +got):\n%s", in, diff)
		}
	}
}

// TestStemWitness: Protel's letters as the last word of a name whose extension says only that
// it is a film.
func TestStemEvidence(t *testing.T) {
	t.Parallel()
	for in, want := range map[[2]string]pcb.Role{
		{"job-gtl", "gbr"}:     pcb.RoleCopper,
		{"job_GTS", "ger"}:     pcb.RoleMask,
		{"job gko", "pho"}:     pcb.RoleOutline,
		{"job.gbo", "art"}:     pcb.RoleSilk,
		{"gtp", "gbx"}:         pcb.RolePaste,
		{"gtl-job", "gbr"}:     pcb.RoleUnknown,
		{"job-gtl", "gbl"}:     pcb.RoleUnknown,
		{"job-gnd", "gbr"}:     pcb.RoleUnknown,
		{"job-sol", "gbr"}:     pcb.RoleUnknown,
		{"job-g", "gbr"}:       pcb.RoleUnknown,
		{"", "gbr"}:            pcb.RoleUnknown,
		{"-", "gbr"}:           pcb.RoleUnknown,
		{"job-giraffe", "gbr"}: pcb.RoleUnknown,
	} {
		got, ok := stemEvidence(in[0], in[1])
		if got.Role != want || ok != (want != pcb.RoleUnknown) || ok && got.Weight != weightName {
			t.Errorf("stemEvidence(%q, %q) = %v of weight %v, %v; want %v of weight %v", in[0], in[1], got.Role, got.Weight, ok, want, weightName)
		}
	}
}

// TestArtworkName: which names promise artwork or holes.
func TestArtworkName(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"x.GTL": true, "x.gbr": true, "x.Ger": true, "x.pho": true, "a/b.art": true, "x.gbx": true, "x.g12": true, "x.drl": true, "x.XLN": true, "x.nc": true,
		"x.txt": false, "gtl": false, "x.gtl.zip": false, "x.pdf": false, "x": false, "": false, "x.dri": false, "x.kicad_pcb": false,
	} {
		if got := ArtworkName(in); got != want {
			t.Errorf("ArtworkName(%q) = %v, want %v", in, got, want)
		}
	}
}
