package gerber

import (
	"testing"
	"time"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/processor"
)

// FuzzRead looks for inputs that panic, take long, draw without bound or leave
// an index that points nowhere.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		mm + "D10*X0Y0D02*X1000000D01*Y2000000D03*M02*",
		mm + "G75*G36*X0Y0D02*G03*X2000000Y0I1000000J0D01*G01*X0Y0D01*G37*M02*",
		mm + "%SRX2Y2I5J4*%G74*D10*X0Y0D02*G02X10Y10I5J5D01*%SR*%M02*",
		mm + "%ABD20*%D10*X0Y0D03*%LPC*%%AB*%%LR30*%%LMX*%%LS2*%D20*X5Y0D03*M02*",
		"%FSTIX23Y23*%%MOIN*%%AMm*$3=$1x(2+$2)/4*1,1,$3,0,0,45*7,0,0,2,1,0.2,0*6,0,0,2,.2,.3,3,.1,3,0*%%ADD10m,1X2*%D10*X1Y1D03*M02*",
		"%IR90*%%MIA1B1*%%SFA2B3*%%OFA1B1*%%ASAYBX*%%IPNEG*%G54D10*X1Y1D02*\nX5\nG04 #@! TO.N,GND*\nM00*",
		"%TF.FileFunction,Copper,L1,Top*%%TA.AperFunction,SMDPad,CuDef*%%ADD10C,1X.5*%%TO.P,U1,1*%%TD*%",
		"%AMx*4,1,3,0,0,1,0,1,1,0,0,0*%%AM", "G04 no end", "%", "X", "%ADD10P,1X999999999*%D10*X.5.Y-D03*",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		start := processor.Time()
		const most = 20_000
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: most})
		defer end()
		file := Read(ctx, "f.gbr", data, Options{})
		const limit = 5 * time.Second
		if d := processor.Time() - start; d > limit {
			t.Fatalf("took %v of the processor, want %v at most", d, limit)
		}
		l := file.Layer
		if len(l.Features) > most {
			t.Fatalf("%d features, want %d at most", len(l.Features), most)
		}
		for i := range l.Features {
			x := &l.Features[i]
			_ = l.Nets[x.Net]
			_ = l.Pins[x.Pin]
			_ = l.AttributeSets[x.Attrs]
			b := l.FeatureBounds(x)
			const far = 1 << 50 // repetition and blocks add up, but stay sane
			if !b.Empty() && (max(b.Max.X, b.Max.Y, -b.Min.X, -b.Min.Y) > far) {
				t.Fatalf("feature %d reaches %v, want %d nm at most", i, b, int64(far))
			}
			if x.A.X > far || x.A.X < -far {
				t.Fatalf("feature %d at %v, want %d nm at most", i, x.A, int64(far))
			}
		}
	})
}
