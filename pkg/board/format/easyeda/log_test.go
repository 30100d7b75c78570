package easyeda

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// logOf is a log with documents; tickets count up.
func logOf(entries ...[2]string) string {
	var b strings.Builder
	for i, e := range entries {
		fmt.Fprintf(&b, `{%s,"ticket":%d}||%s|`+"\n", e[0], i+1, e[1])
	}
	return b.String()
}

func docHead(kind, id string) [2]string {
	return [2]string{`"type":"DOCHEAD"`, fmt.Sprintf(`{"docType":%q,"uuid":%q}`, kind, id)}
}

func entryOf(kind, id, value string) [2]string {
	return [2]string{fmt.Sprintf(`"type":%q,"id":%q`, kind, id), value}
}

// logBoard is a board of 1000 by 500 mil with a part, in a log.
func logBoard(more ...[2]string) string {
	entries := [][2]string{
		docHead("DEVICE", "d1"), entryOf("META", "META", `{"title":"10k","attributes":{"Footprint":"f1","Supplier Part":"C25804"}}`),
		docHead("FOOTPRINT", "f1"), entryOf("META", "META", `{"title":"R0603"}`),
		entryOf("PAD", "p1", `{"groupId":0,"netName":"","layerId":1,"num":"1","centerX":-50,"centerY":0,"padAngle":0,"hole":{"holeType":"ROUND","width":0,"height":0},"defaultPad":{"padType":"RECT","width":40,"height":20,"radius":0},"specialPad":[],"padOffsetX":0,"padOffsetY":0,"relativeAngle":0,"plated":true,"padType":"NORMAL","topSolderExpansion":null,"bottomSolderExpansion":null,"topPasteExpansion":null,"bottomPasteExpansion":null}`),
		entryOf("PAD", "p2", `{"netName":"","layerId":12,"num":"2","centerX":50,"centerY":0,"padAngle":0,"hole":{"holeType":"SLOT","width":40,"height":20},"defaultPad":{"padType":"POLYGON","path":[20,-20,"L",80,-20,80,20,20,20]},"specialPad":[],"padOffsetX":0,"padOffsetY":0,"relativeAngle":90,"plated":true,"padType":"TEST"}`),
		docHead("PCB", "b1"), entryOf("META", "META", `{"title":"Lamp"}`),
	}
	for i, l := range []string{"TOP", "BOTTOM", "TOP_SILK", "BOT_SILK", "TOP_SOLDER_MASK", "BOT_SOLDER_MASK", "TOP_PASTE_MASK", "BOT_PASTE_MASK", "TOP_ASSEMBLY", "BOT_ASSEMBLY", "OUTLINE", "MULTI", "DOCUMENT"} {
		entries = append(entries, entryOf("LAYER", fmt.Sprintf(`["LAYER",%d]`, i+1), fmt.Sprintf(`{"layerId":%d,"layerType":%q,"layerName":%[2]q,"use":true}`, i+1, l)))
	}
	return logOf(slices.Concat(entries, [][2]string{
		entryOf("LAYER", `["LAYER",15]`, `{"layerId":15,"layerType":"SIGNAL","layerName":"Inner1","use":false}`),
		entryOf("LAYER_PHYS", `["LAYER_PHYS",1]`, `{"material":"","thickness":1.378,"permittivity":null,"lossTangent":null}`),
		entryOf("LAYER_PHYS", `["LAYER_PHYS",361]`, `{"material":"FR4","thickness":30,"permittivity":4.5,"lossTangent":0.02}`),
		entryOf("LAYER_PHYS", `["LAYER_PHYS",2]`, `{"material":"","thickness":1.378,"permittivity":null,"lossTangent":null}`),
		entryOf("RULE", `["RULE","SOLDER","s"]`, `{"ruleState":"DEFAULT","ruleContext":{"unit":"mm","padTopExpan":4,"padBotExpan":4,"viaTopExpan":-1000,"viaBotExpan":2}}`),
		entryOf("RULE", `["RULE","PASTE","s"]`, `{"ruleState":"DEFAULT","ruleContext":{"unit":"mm","padTopExpan":-1,"padBotExpan":0}}`),
		entryOf("RULE", `["RULE","TRACK","s"]`, `{"ruleState":"DEFAULT","ruleContext":{"unit":"mm","track":{"content":[{"stroMin":5}]}}}`),
		entryOf("RULE", `["RULE","SAFE","s"]`, `{"ruleState":"DEFAULT","ruleContext":{"unit":"mm","safeSpacing":[{"content":[[6],[4,8]]}]}}`),
		entryOf("POLY", "o", `{"netName":"","layerId":11,"width":10,"path":["R",0,500,1000,500,0,0]}`),
		entryOf("COMPONENT", "c1", `{"layerId":1,"x":200,"y":100,"angle":90,"attrs":{"Unique ID":"g"}}`),
		entryOf("ATTR", "c1d", `{"parentId":"c1","layerId":3,"x":null,"y":null,"key":"Device","value":"d1","keyVisible":false,"valueVisible":false}`),
		entryOf("ATTR", "c1r", `{"parentId":"c1","layerId":3,"x":200,"y":300,"key":"Designator","value":"R1","keyVisible":false,"valueVisible":true,"fontFamily":"default","fontSize":45,"strokeWidth":6,"origin":"CENTER_MIDDLE","angle":0,"reverse":false,"mirror":false}`),
		entryOf("PAD_NET", `["PAD_NET","c1","1","p1"]`, `{"padNet":"IN"}`), entryOf("PAD_NET", `["PAD_NET","c1","2","p2"]`, `{"padNet":"GND"}`),
	}, more)...)
}

// TestLog: a project that is a log gives what one of rows gives.
func TestLog(t *testing.T) {
	t.Parallel()
	b := readProject(t, map[string]string{"project2.json": "{}", "p.epru": logBoard(
		entryOf("LINE", "l1", `{"netName":"GND","layerId":1,"startX":0,"startY":0,"endX":1,"endY":1,"width":10}`),
		entryOf("LINE", "l1", `{"netName":"GND","layerId":1,"startX":600,"startY":100,"endX":700,"endY":100,"width":10}`),
		entryOf("LINE", "l2", `{"netName":"GND","layerId":1,"startX":0,"startY":0,"endX":1,"endY":1,"width":10}`), entryOf("LINE", "l2", ""),
		entryOf("ARC", "a", `{"netName":"GND","layerId":2,"startX":600,"startY":100,"endX":700,"endY":100,"angle":180,"width":0}`),
		entryOf("VIA", "v", `{"netName":"GND","ruleName":"","centerX":800,"centerY":100,"holeDiameter":12,"viaDiameter":24,"viaType":"NORMAL","topSolderExpansion":null,"bottomSolderExpansion":null}`),
		entryOf("FILL", "f", `{"netName":"GND","layerId":2,"width":0.2,"fillStyle":"SOLID","path":[["R",600,400,100,100,0,0]]}`),
		entryOf("POUR", "q", `{"netName":"GND","layerId":2,"width":0.2,"name":"P","order":0,"path":[["R",0,400,100,100,0,0]],"pourType":{"pourType":"SOLID","fineness":8}}`),
		entryOf("POURED", `["POURED","q"]`, `{"pourFill":[{"strokeWidth":0,"fill":true,"path":[[80,30,"L",90,30,90,40,80,40]]},{"strokeWidth":1,"fill":false,"path":[[80,30,"L",90,30]]}]}`),
	)})
	if b.Name != "Lamp" || !slices.Equal(codes(b), []string{"note text_plain"}) || len(b.Copper()) != 2 || len(b.Holes) != 2 || b.Holes[1].Kind != pcb.SlotHole && b.Holes[0].Kind != pcb.SlotHole {
		t.Fatalf("%q, findings %v, %d copper layers, holes %+v; want Lamp of two layers, with a via and a slot", b.Name, b.Findings, len(b.Copper()), b.Holes)
	}
	c := b.Components[0]
	if c.Ref != "R1" || c.Value != "10k" || c.Footprint != "R0603" || c.Fields["LCSC"] != "C25804" || c.At != geom.Pt(5_080_000, 2_540_000) || c.Rotation != 90 {
		t.Errorf("%+v, want R1 at 5.08, 2.54 mm", c)
	}
	pin := b.Pins[b.Pin("R1", "2")]
	if b.Nets[pin.Net].Name != "GND" || pin.At != geom.Pt(5_080_000, 3_810_000) {
		t.Errorf("pin 2 %+v, want GND at 5.08, 3.81 mm", pin)
	}
	top, bottom := layerOf(b, pcb.RoleCopper, pcb.Top), layerOf(b, pcb.RoleCopper, pcb.Bottom)
	lines := 0
	for i := range top.Features {
		if top.Features[i].Kind == pcb.LineFeature {
			lines++
		}
	}
	if lines != 1 || boxOf(bottom) != "4572 1270 22987 10261" {
		t.Errorf("%d lines above, copper below %s; want one that was drawn last, and 4572 1270 22987 10261", lines, boxOf(bottom))
	}
	if got := boxOf(layerOf(b, pcb.RolePaste, pcb.Top)); got != "4851 787 5308 1752" {
		t.Errorf("paste %s, want that of the first pad, a mil smaller", got)
	}
	if got := layerOf(b, pcb.RoleMask, pcb.Bottom).Features; len(got) < 2 {
		t.Errorf("%d openings below, want those of the slot and the via", len(got))
	}
	if b.Rules.TrackWidth != 127_000 || b.Rules.Clearance != 101_600 || b.Facts.Thickness.Value != 832_002 || b.Facts.Thickness.Default {
		t.Errorf("rules %+v, thickness %+v; want 5 and 4 mil, and 0.832 mm that somebody chose", b.Rules, b.Facts.Thickness)
	}
}

// TestLogDamage: what a log's lines cannot say is said.
func TestLogDamage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		log  string
		want []string
	}{
		"cut off":          {logBoard() + `{"type":"LINE","id":"x"}||{"netName":`, []string{"note text_plain", "problem file_damaged"}},
		"no separator":     {logBoard() + `{"type":"LINE"}`, []string{"note text_plain", "problem file_damaged"}},
		"an unknown kind":  {logBoard(entryOf("CARC", "x", `{"layerId":1}`)), []string{"note text_plain", "problem element_unread"}},
		"a via's rule":     {logBoard(entryOf("VIA", "x", `{"ruleName":"B","centerX":1,"centerY":1,"holeDiameter":9,"viaDiameter":18}`)), []string{"note text_plain", "problem element_unread"}},
		"fields missing":   {logBoard(entryOf("LINE", "x", `{"layerId":1}`)), []string{"note text_plain", "problem element_unread"}},
		"a grid":           {logBoard(entryOf("FILL", "x", `{"layerId":1,"width":1,"fillStyle":"GRID","path":[["CIRCLE",100,100,50]]}`)), []string{"note text_plain", "problem element_unread"}},
		"lands by layers":  {logBoard(entryOf("PAD", "x", `{"layerId":12,"num":"1","centerX":1,"centerY":1,"padAngle":0,"hole":null,"defaultPad":{"padType":"RECT","width":9,"height":9},"specialPad":[{"a":1}],"plated":true}`)), []string{"note text_plain", "problem element_unread"}},
		"a pour's riot":    {logBoard(entryOf("POURED", `["POURED","q"]`, `{"pourFill":[5]}`)), []string{"note text_plain", "problem element_unread"}},
		"a rule of nobody": {logBoard(entryOf("RULE", `["RULE","BLIND","b"]`, `{"ruleContext":5}`)), []string{"note text_plain"}},
	} {
		got := codes(readProject(t, map[string]string{"p.epru": tt.log}))
		slices.Sort(got)
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: findings %v, want %v", name, got, tt.want)
		}
	}
	data := zipOf(t, map[string]string{"p.epru": logOf(docHead("SCH_PAGE", "s"), entryOf("WIRE", "w", "{}"))})
	boards, findings := ReadPro(t.Context(), []File{{"p.epro2", data}})
	if !IsPro("p.epro2", data) || len(boards) != 0 || len(findings) != 1 || !strings.Contains(findings[0].Message, "a schematic and no board") {
		t.Errorf("%d boards, findings %v of a schematic; want that it is one", len(boards), findings)
	}
}

func FuzzReadLog(f *testing.F) {
	f.Add([]byte(logBoard(entryOf("VIA", "v", `{"netName":"GND","ruleName":"","centerX":800,"centerY":100,"holeDiameter":12,"viaDiameter":24}`))))
	f.Fuzz(func(t *testing.T, data []byte) {
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100_000, Steps: 1_000_000})
		defer end()
		p := newProject("p.epro2")
		p.add("p.epru", data)
		p.boards(ctx)
	})
}
