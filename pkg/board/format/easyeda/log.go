package easyeda

import (
	"bytes"
	"encoding/json"
)

// columns are the fields of elements of a log, in the order in which rows have them from
// the third on.
var columns = map[string][]string{
	"LINE":      {"groupId", "netName", "layerId", "startX", "startY", "endX", "endY", "width"},
	"ARC":       {"groupId", "netName", "layerId", "startX", "startY", "endX", "endY", "angle", "width"},
	"VIA":       {"groupId", "netName", "ruleName", "centerX", "centerY", "holeDiameter", "viaDiameter", "viaType", "topSolderExpansion", "bottomSolderExpansion"},
	"POLY":      {"groupId", "netName", "layerId", "width", "path"},
	"FILL":      {"groupId", "netName", "layerId", "width", "fillStyle", "path"},
	"POUR":      {"groupId", "netName", "layerId", "width", "name", "order", "path", "pourType"},
	"TEARDROP":  {"netName", "layerId", "path"},
	"COMPONENT": {"groupId", "layerId", "x", "y", "angle", "attrs"},
	"IMAGE":     {"groupId", "layerId", "startX", "startY", "width", "height", "angle", "mirror", "path"},
	"OBJ":       {"groupId", "layerId"},
	"DIMENSION": {"groupId", "layerId"},
	"STRING":    {"groupId", "layerId", "x", "y", "text", "fontFamily", "fontSize", "strokeWidth", "bold", "italic", "origin", "angle", "reverse", "expansion", "mirror"},
	"ATTR": {"groupId", "parentId", "layerId", "x", "y", "key", "value", "keyVisible", "valueVisible", "fontFamily", "fontSize", "strokeWidth", "bold", "italic",
		"origin", "angle", "reverse", "expansion", "mirror"},
	"PAD": {"groupId", "netName", "layerId", "num", "centerX", "centerY", "padAngle", "hole", "defaultPad", "specialPad", "padOffsetX", "padOffsetY", "relativeAngle",
		"plated", "padType", "topSolderExpansion", "bottomSolderExpansion", "topPasteExpansion", "bottomPasteExpansion"},
}

// wordCodes are the words of logs for what rows have numbers for.
var wordCodes = map[string]map[string]any{
	"fillStyle": {"SOLID": 0.0},
	"padType":   {"NORMAL": 0.0, "TEST": 1.0, "TEST_POINT": 1.0, "FIDUCIAL": 2.0},
	"origin": {"LEFT_TOP": 1.0, "LEFT_CENTER": 2.0, "LEFT_MIDDLE": 2.0, "LEFT_BOTTOM": 3.0, "CENTER_TOP": 4.0, "CENTER_MIDDLE": 5.0, "CENTER_CENTER": 5.0,
		"CENTER_BOTTOM": 6.0, "RIGHT_TOP": 7.0, "RIGHT_CENTER": 8.0, "RIGHT_MIDDLE": 8.0, "RIGHT_BOTTOM": 9.0},
}

// An entry is one line of a log: what it is about, and what it says of that.
type entry struct {
	Type   string  `json:"type"`
	ID     string  `json:"id"`
	Ticket float64 `json:"ticket"`
	value  map[string]any
	size   int
}

// readLog splits a log into its documents. Of the entries about an object that with the
// highest ticket counts; one without a value says that it was deleted.
func readLog(data []byte) (docs []lines, damaged int) {
	var entries []entry
	latest := map[[2]string]int{}
	finish := func() {
		if len(docs) > 0 {
			d := &docs[len(docs)-1]
			for _, e := range entries {
				d.addEntry(e)
			}
		}
		entries = nil
		clear(latest)
	}
	n := 0
	for line := range bytes.Lines(trimMark(data)) {
		n++
		line = bytes.TrimSuffix(bytes.TrimSpace(line), []byte("|"))
		if len(line) == 0 {
			continue
		}
		head, body, ok := bytes.Cut(line, []byte("||"))
		var e entry
		if !ok || json.Unmarshal(head, &e) != nil || len(body) > 0 && !isNothing(body) && json.Unmarshal(body, &e.value) != nil {
			if damaged == 0 {
				damaged = n
			}
			continue
		}
		if e.Type == "DOCHEAD" {
			finish()
			docs = append(docs, lines{kind: textOf(e.value["docType"]), id: textOf(e.value["uuid"])})
			continue
		}
		e.size = len(line)
		key := [2]string{e.Type, e.ID}
		i, known := latest[key]
		switch {
		case !known:
			latest[key] = len(entries)
			entries = append(entries, e)
		case e.Ticket >= entries[i].Ticket:
			entries[i] = e
		}
	}
	finish()
	return docs, damaged
}

// isNothing tells the value of what was deleted.
func isNothing(body []byte) bool { return string(body) == `""` || string(body) == "null" }

// addEntry adds the rows that an entry comes to.
func (l *lines) addEntry(e entry) {
	if e.value == nil {
		return
	}
	var id []any
	_ = json.Unmarshal([]byte(e.ID), &id) // of objects without one of their own it is a list
	part := func(i int) any {
		if i < len(id) {
			return id[i]
		}
		return nil
	}
	add := func(list ...any) { l.rows = append(l.rows, row{list: append([]any{e.Type}, list...), size: e.size}) }
	switch e.Type {
	case "META":
		l.meta = e.value
	case "LAYER":
		state := 3.0
		if e.value["use"] == false {
			state = 0
		}
		add(e.value["layerId"], e.value["layerType"], e.value["layerName"], state)
	case "LAYER_PHYS":
		add(part(1), e.value["material"], e.value["thickness"], e.value["permittivity"], e.value["lossTangent"])
	case "PAD_NET":
		add(part(1), part(2), e.value["padNet"], part(3))
	case "POURED":
		fills, _ := e.value["pourFill"].([]any)
		for _, v := range fills {
			f, _ := v.(map[string]any)
			add(e.ID, part(1), f["strokeWidth"], f["fill"], f["path"])
		}
	case "RULE":
		add(ruleOf(textOf(part(1)), textOf(part(2)), e.value)...)
	default:
		list := []any{e.ID}
		for _, name := range columns[e.Type] {
			list = append(list, e.field(name))
		}
		add(list...)
	}
}

// field is one of an entry's values as rows have it.
func (e *entry) field(name string) any {
	v := e.value[name]
	switch o, _ := v.(map[string]any); {
	case o == nil:
	case name == "hole":
		if w, _ := o["width"].(float64); w == 0 && o["height"] == 0.0 {
			return nil
		}
		return []any{o["holeType"], o["width"], o["height"]}
	case name == "defaultPad" && o["path"] != nil:
		return []any{"POLY", o["path"]}
	case name == "defaultPad":
		return []any{o["padType"], o["width"], o["height"], o["radius"]}
	case name == "pourType":
		return []any{o["pourType"], o["fineness"]}
	}
	if code, ok := wordCodes[name][textOf(v)]; ok {
		return code
	}
	return v
}

// ruleOf gives what rows say of the rules that a board is drawn by.
func ruleOf(kind, name string, value map[string]any) []any {
	c, _ := value["ruleContext"].(map[string]any)
	state := "0"
	if textOf(value["ruleState"]) == "DEFAULT" {
		state = "1"
	}
	first := func(v any, keys ...string) map[string]any {
		for _, k := range keys {
			o, _ := v.(map[string]any)
			v = o[k]
		}
		list, _ := v.([]any)
		if len(list) == 0 {
			return nil
		}
		o, _ := list[0].(map[string]any)
		return o
	}
	switch kind {
	case "SOLDER":
		return []any{"9", name, state, []any{c["unit"], c["padTopExpan"], c["padBotExpan"], c["viaTopExpan"], c["viaBotExpan"]}}
	case "PASTE":
		return []any{"8", name, state, []any{c["unit"], c["padTopExpan"], c["padBotExpan"]}}
	case "TRACK":
		return []any{"3", name, state, []any{c["unit"], first(c, "track", "content")["stroMin"]}}
	case "SAFE":
		return []any{"1", name, state, []any{c["unit"], first(c, "safeSpacing")["content"]}}
	}
	return []any{kind, name, state, nil}
}
