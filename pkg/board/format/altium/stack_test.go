package altium

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"

	"github.com/google/go-cmp/cmp"
)

var kindWords = map[pcb.StackupKind]string{pcb.StackCopper: "copper", pcb.StackCore: "core", pcb.StackPrepreg: "prepreg", pcb.StackMask: "mask", pcb.StackDielectric: "dielectric"}

// strata puts a stack into words.
func strata(all []stratum) string {
	var out []string
	for _, s := range all {
		w := fmt.Sprintf("%s %s %d", s.name, kindWords[s.kind], s.thickness)
		if s.layer != 0 {
			w += fmt.Sprintf(" layer %d", s.layer)
		}
		if s.material != "" {
			w += " " + s.material
		}
		out = append(out, w)
	}
	return strings.Join(out, "; ")
}

func words(s string) properties { return parseProperties([]byte(s)) }

func TestOldStack(t *testing.T) {
	t.Parallel()
	one := func(n, next int) string {
		return fmt.Sprintf("|LAYER%dNAME=L%d|LAYER%dNEXT=%d|LAYER%dCOPTHICK=1mil|LAYER%dDIELTYPE=2|LAYER%dDIELHEIGHT=10mil|LAYER%dDIELMATERIAL=PP", n, n, n, next, n, n, n, n)
	}
	for name, tt := range map[string]struct{ in, want, err string }{
		"one layer":             {one(1, 0), "L1 copper 25400 layer 1", ""},
		"two layers":            {one(1, 32) + one(32, 0), "L1 copper 25400 layer 1; dielectric prepreg 254000 PP; L32 copper 25400 layer 32", ""},
		"a chain":               {one(1, 3) + one(3, 32) + one(32, 0), "L1 copper 25400 layer 1; dielectric prepreg 254000 PP; L3 copper 25400 layer 3; dielectric prepreg 254000 PP; L32 copper 25400 layer 32", ""},
		"a circle":              {one(1, 32) + one(32, 1), "", "leads to layer 1"},
		"a layer below all":     {one(1, -4), "", "lacks layer -4"},
		"no copper layer":       {one(1, 33) + one(33, 0), "", "leads to layer 33"},
		"beyond all planes":     {one(1, 55) + one(55, 0), "", "leads to layer 55"},
		"one that is not there": {one(1, 5), "", "lacks layer 5"},
		"nothing":               {"", "", "lacks layer 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := oldStack(words(tt.in))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("%v, %v; want an error with %q", strata(got), err, tt.err)
				}
				return
			}
			if d := cmp.Diff(tt.want, strata(got)); d != "" || err != nil {
				t.Errorf("oldStack(%v): error %v, want none (-want +got):\n%s", tt.in, err, d)
			}
		})
	}
}

func TestNewStack(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ in, want, err string }{
		"copper and core": {
			"|V9_STACK_LAYER0_NAME=T|V9_STACK_LAYER0_LAYERID=16777217|V9_STACK_LAYER0_COPTHICK=1mil" +
				"|V9_STACK_LAYER1_NAME=D|V9_STACK_LAYER1_LAYERID=17039361|V9_STACK_LAYER1_DIELTYPE=1|V9_STACK_LAYER1_DIELHEIGHT=10mil" +
				"|V9_STACK_LAYER2_NAME=B|V9_STACK_LAYER2_LAYERID=16842751|V9_STACK_LAYER2_COPTHICK=1mil",
			"T copper 25400 layer 1; D core 254000; B copper 25400 layer 32", "",
		},
		"ink is no layer of the build": {"|V9_STACK_LAYER0_NAME=Overlay|V9_STACK_LAYER0_LAYERID=16973830|V9_STACK_LAYER1_NAME=T|V9_STACK_LAYER1_LAYERID=16777217", "T copper 0 layer 1", ""},
		"a mask by its height":         {"|V9_STACK_LAYER0_NAME=M|V9_STACK_LAYER0_LAYERID=16973834|V9_STACK_LAYER0_DIELTYPE=3|V9_STACK_LAYER0_DIELHEIGHT=1mil", "M mask 25400", ""},
		"a dielectric of no kind":      {"|V9_STACK_LAYER0_NAME=D|V9_STACK_LAYER0_LAYERID=17039361|V9_STACK_LAYER0_DIELHEIGHT=1mil", "D dielectric 25400", ""},
		"a gap ends it":                {"|V9_STACK_LAYER0_NAME=T|V9_STACK_LAYER0_LAYERID=16777217|V9_STACK_LAYER2_NAME=B|V9_STACK_LAYER2_LAYERID=16842751", "T copper 0 layer 1", ""},
		"none":                         {"|LAYER1NAME=T", "", ""},
		"a layer beyond all":           {"|V9_STACK_LAYER0_NAME=X|V9_STACK_LAYER0_LAYERID=16777300", "", "beyond the 32 signal layers"},
		"several stacks":               {"|V9_SUBSTACK1_NAME=flex|V9_STACK_LAYER0_1CONTEXT=1", "", "several layer stacks"},
	} {
		got, err := newStack(words(tt.in))
		if tt.err != "" {
			if no, ok := errors.AsType[*refusal](err); !ok || !strings.Contains(no.message, tt.err) || no.code != "format_unread" {
				t.Errorf("%s: %v, %v; want a refusal with %q", name, strata(got), err, tt.err)
			}
			continue
		}
		if d := cmp.Diff(tt.want, strata(got)); d != "" || err != nil {
			t.Errorf("%s: stack (-want +got), %v:\n%s", name, err, d)
		}
	}
}

// TestLayerTwice: one copper layer cannot stand at two places of a board.
func TestLayerTwice(t *testing.T) {
	t.Parallel()
	r := &reader{design: design{board: words("|V9_STACK_LAYER0_NAME=T|V9_STACK_LAYER0_LAYERID=16777217|V9_STACK_LAYER1_NAME=T again|V9_STACK_LAYER1_LAYERID=16777217")}}
	if _, _, err := r.stack(); err == nil || !strings.Contains(err.Error(), "stands twice") {
		t.Errorf("a stack with a layer twice: %v, want that it stands twice", err)
	}
}

// TestUntouched: the stack of every new board is what nobody chose.
func TestUntouched(t *testing.T) {
	t.Parallel()
	copper := stratum{kind: pcb.StackCopper, thickness: 35_560}
	core := stratum{kind: pcb.StackCore, thickness: 320_040, material: "fr-4"}
	mask := stratum{kind: pcb.StackMask, thickness: 10_160}
	thick, other, heavy := core, core, copper
	thick.thickness, other.material, heavy.thickness = 1_500_000, "Rogers", 70_000
	for name, tt := range map[string]struct {
		all  []stratum
		want bool
	}{
		"as it comes":      {[]stratum{mask, copper, core, copper, mask}, true},
		"without a mask":   {[]stratum{copper, core, copper}, true},
		"another core":     {[]stratum{copper, thick, copper}, false},
		"another material": {[]stratum{copper, other, copper}, false},
		"heavier copper":   {[]stratum{copper, core, heavy}, false},
		"four layers":      {[]stratum{copper, core, copper, core, copper, core, copper}, true},
		"one other core":   {[]stratum{copper, core, copper, thick, copper, core, copper}, false},
	} {
		if got := isUntouched(tt.all); got != tt.want {
			t.Errorf("%s: %v, want %v", name, got, tt.want)
		}
	}
}

// TestPresetStack: a board with the stack that every new one has states no thickness.
func TestPresetStack(t *testing.T) {
	t.Parallel()
	f := pcbdoc.New(1000, 1000)
	f.Board = strings.NewReplacer("COPTHICK=1.378mil", "COPTHICK=1.4mil", "DIELHEIGHT=60.236mil", "DIELHEIGHT=12.6mil").Replace(f.Board)
	b := readBoard(t, f)
	if v := b.Facts.Thickness; v.IsStated() || v.Value != 391_160 {
		t.Errorf("thickness %+v, want 391160 nm, which nobody stated", v)
	}
	if v := b.Facts.OuterCopper; v.IsStated() || v.Value != 1 {
		t.Errorf("outer copper %+v, want 1 oz, which nobody stated", v)
	}
	if n := b.Facts.CopperLayers; !n.IsStated() || n.Value != 2 {
		t.Errorf("copper layers %+v, want 2, stated", n)
	}
}
