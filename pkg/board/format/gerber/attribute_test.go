package gerber

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/pcb"
)

func TestAttributes(t *testing.T) {
	t.Parallel()
	src := "%TF.FileFunction,Copper,L1,Top*%%TF.Part,Single*%" + mm +
		"%TA.AperFunction,ViaPad*%%ADD20C,1*%%TD*%%TA.AperFunction,SMDPad,CuDef*%%TAmine,1,2*%%ADD21C,1*%%TD*%" +
		"%TO.N,GND*%D20*X0Y0D03*%TO.P,R1,2,K\\u00E4*%%TO.C,R1*%D21*X1D03*%TD.P*%X2D03*%TD*%D10*X3D03*M02*"
	for _, form := range []struct{ name, src string }{{"commands", src}, {"comments", writeComments(src)}} {
		t.Run(form.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), "x.gbr", []byte(form.src), Options{})
			if got := f.Attribute(".FileFunction"); !cmp.Equal(got, []string{"Copper", "L1", "Top"}) {
				t.Errorf("file function %q, want Copper, L1, Top", got)
			}
			l := f.Layer
			type row struct {
				Function pcb.Function
				Net      string
				Pin      pcb.PinName
				Attrs    string
			}
			var got []row
			for _, x := range l.Features {
				r := row{x.Function, l.Nets[x.Net], l.Pins[x.Pin], ""}
				for _, a := range l.AttributeSets[x.Attrs] {
					r.Attrs += a.Name + " "
				}
				got = append(got, r)
			}
			want := []row{
				{pcb.FuncViaPad, "GND", pcb.PinName{}, ""},
				{pcb.FuncSMDPad, "GND", pcb.PinName{Component: "R1", Pin: "2", Function: "Kä"}, ".AperFunction mine .C "},
				{pcb.FuncSMDPad, "GND", pcb.PinName{}, ".AperFunction mine .C "},
				{pcb.FuncUnknown, "", pcb.PinName{}, ""},
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("features (-want +got):\n%s", d)
			}
			if c := codes(f); c != "" {
				t.Errorf("findings %s, want none: %+v", c, f.Findings)
			}
		})
	}
}

// writeComments writes the attribute commands in their G04 form.
func writeComments(src string) string {
	out, rest := "", src
	for len(rest) > 0 {
		if rest[0] == '%' && len(rest) > 2 && rest[1] == 'T' {
			end := 1
			for rest[end] != '%' {
				end++
			}
			out += "G04 #@! " + rest[1:end] + "\n"
			rest = rest[end+1:]
			continue
		}
		out += rest[:1]
		rest = rest[1:]
	}
	return out
}

func TestAdoptedByBoard(t *testing.T) {
	t.Parallel()
	b := pcb.NewBoard("x")
	b.Net("VCC")
	for range 2 {
		f := Read(t.Context(), "x.gbr", []byte(mm+"%TO.N,GND*%%TO.P,R1,2,K*%D10*X0Y0D03*%TO.N,VCC*%%TD.P*%X1D03*M02*"), Options{})
		b.Adopt(f.Layer)
	}
	if len(b.Nets) != 3 || len(b.Pins) != 2 || len(b.Components) != 1 {
		t.Fatalf("%d nets, %d pins, %d components; want 3, 2, 1", len(b.Nets), len(b.Pins), len(b.Components))
	}
	for _, l := range b.Layers {
		if n := b.Nets[l.Features[0].Net].Name + b.Nets[l.Features[1].Net].Name; n != "GNDVCC" {
			t.Errorf("nets of %s: %s, want GND and VCC", l.Name, n)
		}
		p := b.Pins[l.Features[0].Pin]
		if p.Number != "2" || p.Name != "K" || b.Nets[p.Net].Name != "GND" || b.Components[p.Component].Ref != "R1" {
			t.Errorf("pin %+v, want 2, K of R1 and GND", p)
		}
	}
}

func TestNegativeCopper(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]bool{
		"%TF.FileFunction,Copper,L2,Inr*%%TF.FilePolarity,Negative*%":  true,
		"%TF.FileFunction,Copper,L2,Inr*%%TF.FilePolarity,Positive*%":  false,
		"%TF.FileFunction,Soldermask,Top*%%TF.FilePolarity,Negative*%": false,
		"%TF.FileFunction,Copper,L2,Inr*%%IPNEG*%":                     true,
	} {
		if got := Read(t.Context(), "a", []byte(head+mm+"%ADD10C,1*%D10*X0Y0D03*M02*"), Options{}).Layer.Negative; got != want {
			t.Errorf("%s: negative %v, want %v", head, got, want)
		}
	}
}
