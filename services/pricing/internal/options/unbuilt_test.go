package options_test

import (
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/pricing/internal/options"
)

// What the files state and nobody builds unseen is named with its file, and one field of
// the request settles it.
func TestWhatIsNotBuiltIsNamedAndSettledByOneField(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		facts  func(*options.FileFacts)
		field  string
		says   string
		settle func(*quotes.Request)
	}{
		"laminate":  {func(f *options.FileFacts) { f.Material = fact("FR408HR") }, "material", `board.kicad_pcb says "FR408HR"`, func(r *quotes.Request) { r.Material = pointerTo("FR-4") }},
		"mask":      {func(f *options.FileFacts) { f.SolderMask = fact("#00FFFF") }, "solder_mask", `says "#00FFFF"`, func(r *quotes.Request) { r.SolderMask = pointerTo("Blue") }},
		"finish":    {func(f *options.FileFacts) { f.SurfaceFinish = fact("ENEPIG") }, "surface_finish", "ENEPIG", func(r *quotes.Request) { r.SurfaceFinish = pointerTo("enig") }},
		"thickness": {func(f *options.FileFacts) { f.ThicknessMM = fact(1.4) }, "thickness_mm", "1.4 mm", func(r *quotes.Request) { r.ThicknessMM = pointerTo(1.6) }},
		"copper":    {func(f *options.FileFacts) { f.CopperOz = fact(3.0) }, "copper_oz", "3 oz", func(r *quotes.Request) { r.CopperOz = pointerTo(2.0) }},
		"long words": {
			func(f *options.FileFacts) { f.Material = fact(strings.Repeat("unobtainium ", 20)) }, "material", "…", func(r *quotes.Request) { r.Material = pointerTo("FR-4") },
		},
	} {
		request := quotes.Request{Quantity: 10, StandardForUnstated: true}
		got := resolver(t).Resolve(request, boardWith(tt.facts)).Refusal
		if got == nil || got.Code != contract.DesignFiles || len(got.Findings) != 1 || len(got.Fields) != 1 {
			t.Errorf("%s: refused by %+v; want %s with one finding and one field", name, got, contract.DesignFiles)
			continue
		}
		if f := got.Findings[0]; !strings.Contains(f.What, tt.says) || f.File == "" || len(f.What) > 200 {
			t.Errorf("%s: %+v; want %q", name, f, tt.says)
		}
		if f := got.Fields[0]; f.Field != tt.field || f.Allowed == nil || !strings.Contains(got.Message, tt.field) {
			t.Errorf("%s: field %+v, said %q; want %s with what is allowed, named in the message", name, f, got.Message, tt.field)
		}
		tt.settle(&request)
		if again := resolver(t).Resolve(request, boardWith(tt.facts)); again.Board == nil || !again.Board.Complete || again.Reasons != nil {
			t.Errorf("%s, settled: %+v, refusal %+v; want a complete board without reasons", name, again, again.Refusal)
		}
	}
}
