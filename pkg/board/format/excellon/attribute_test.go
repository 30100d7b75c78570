package excellon

import (
	"fmt"
	"testing"
)

// TestAttributes: what Gerber X2 attributes in comments say of the program and its tools.
func TestAttributes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		header []string
		want   string // span, then each tool's plating
	}{
		{"KiCad's", []string{"; #@! TF.FileFunction,Plated,1,4,PTH", "T1C0.3"}, "1-4 plated"},
		{"without KiCad's prefix", []string{";TF.FileFunction,NonPlated,1,2,NPTH", "T1C3.0"}, "1-2 non-plated"},
		{"between percent signs, as in artwork", []string{"; %TF.FileFunction,Plated,2,3,Buried,Drill*%", "T1C0.2"}, "2-3 plated"},
		{"a program of both kinds says it by tool", []string{"; #@! TF.FileFunction,MixedPlating,1,2",
			"; #@! TA.AperFunction,Plated,PTH,ViaDrill", "T1C0.3", "; #@! TA.AperFunction,NonPlated,NPTH,ComponentDrill", "T2C3.0"}, "1-2 plated non-plated"},
		{"a tool after TD is the file's", []string{"; #@! TF.FileFunction,Plated,1,2,PTH", "; #@! TA.AperFunction,NonPlated,NPTH,MechanicalDrill", "T1C3.0",
			"; #@! TD", "T2C0.3"}, "1-2 non-plated plated"},
		{"layers that are no numbers", []string{"; #@! TF.FileFunction,Plated,top,bottom,PTH", "T1C0.3"}, "0-0 plated"},
		{"a layer beyond what a board has", []string{"; #@! TF.FileFunction,Plated,1,4000,PTH", "T1C0.3"}, "0-0 plated"},
		{"layer 0", []string{"; #@! TF.FileFunction,Plated,0,2,PTH", "T1C0.3"}, "0-0 plated"},
		{"a function cut short", []string{"; #@! TF.FileFunction,Plated", "T1C0.3"}, "0-0 plated"},
		{"a function of artwork", []string{"; #@! TF.FileFunction,Copper,L1,Top", "T1C0.3"}, "0-0 unknown"},
		{"nothing said", []string{"T1C0.3"}, "0-0 unknown"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := Read(t.Context(), lines(append(append([]string{"M48", "METRIC"}, c.header...), "%", "T1", "X1.0Y1.0", "T2", "X2.0Y1.0", "M30")...), Options{})
			got := fmt.Sprintf("%d-%d", f.Span.From, f.Span.To)
			for _, tool := range f.Tools {
				if tool.Diameter > 0 {
					got += " " + tool.Plating.String()
				}
			}
			if got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
}
