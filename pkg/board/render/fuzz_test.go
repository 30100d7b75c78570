package render

import (
	"io"
	"testing"
	"time"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render/pngstream"
	"boardorder/pkg/board/testkit/processor"
	"boardorder/pkg/board/upload/outline"
)

// FuzzDraw draws whatever a Gerber file says, however absurd.
func FuzzDraw(f *testing.F) {
	const head = "%FSLAX46Y46*%%MOMM*%%ADD10C,1*%%ADD11R,2X1*%%AMm*1,1,1,0,0*1,0,.5,0,0*%%ADD12m*%"
	for _, s := range []string{
		head + "D10*X0Y0D02*X1000000D01*Y2000000D03*D12*X0Y0D03*M02*",
		head + "D10*G75*X0Y0D02*G03*X2000000Y0I1000000J0D01*D11*X5000000Y5I1J1D01*M02*",
		head + "G36*X0Y0D02*X9000000000Y1D01*Y9000000000D01*G37*%LPC*%D11*X0Y0D03*%LS1000000*%X0Y0D03*M02*",
		head + "%IPNEG*%%LR30*%%LMX*%D11*X0Y0D02*X5Y5D01*G75*G02*X-4000000000000Y0I-1J4000000000000D01*M02*",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		start := processor.Time()
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 20_000, Steps: 2_000_000})
		defer end()
		g := gerber.Read(ctx, "x", data, gerber.Options{})
		b := pcb.NewBoard("x")
		g.Layer.Role, g.Layer.Side = pcb.RoleCopper, pcb.Top
		edge := *g.Layer
		edge.Role = pcb.RoleOutline
		b.Adopt(g.Layer)
		b.Layers = append(b.Layers, &edge)
		outline.Shape(ctx, b)
		o := Options{Width: 100, Height: 80, Workers: 1}
		if img, err := Side(t.Context(), b, pcb.Top, o); err == nil {
			if err := pngstream.Encode(io.Discard, img); err != nil {
				t.Fatal(err)
			}
		}
		_, _ = Layer(t.Context(), nil, g.Layer, o)
		_ = SVG(t.Context(), io.Discard, b, pcb.Bottom, o)
		const limit = 10 * time.Second
		if d := processor.Time() - start; d > limit {
			t.Fatalf("took %v of the processor, want %v at most", d, limit)
		}
	})
}
