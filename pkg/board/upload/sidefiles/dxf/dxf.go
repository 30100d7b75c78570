// Package dxf tells what a drawing in DXF holds. It is not read as artwork: nothing says which of
// its lines is the edge of a board, nor in which unit, in many of them.
package dxf

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
)

const (
	maxSize   = 8 << 20
	maxLayers = 6 // that are named
)

// kinds are the names of things that a drawing may draw an edge with, for one and for several.
var kinds = []struct{ code, one, several string }{
	{"LINE", "line", "lines"}, {"LWPOLYLINE", "polyline", "polylines"}, {"POLYLINE", "polyline", "polylines"}, {"ARC", "arc", "arcs"},
	{"CIRCLE", "circle", "circles"}, {"SPLINE", "spline", "splines"}, {"ELLIPSE", "ellipse", "ellipses"}, {"INSERT", "block", "blocks"},
}

// Describe words what a drawing holds: "4 lines and 2 arcs on the layer "Outline""; "" for what is
// no DXF in text.
func Describe(data []byte) string {
	counts, layers, ok := scan(data)
	if !ok {
		return ""
	}
	var parts []string
	for i, k := range kinds {
		n := counts[k.code]
		if k.code == "LWPOLYLINE" {
			n += counts["POLYLINE"]
		}
		switch {
		case n == 0 || i > 0 && kinds[i-1].one == k.one:
		case n == 1:
			parts = append(parts, "1 "+k.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, k.several))
		}
	}
	if len(parts) == 0 {
		return "no lines"
	}
	return list(parts) + layerWords(layers)
}

func layerWords(layers []string) string {
	slices.Sort(layers)
	var named []string
	for _, l := range layers[:min(len(layers), maxLayers)] {
		named = append(named, untrusted.Mention(l))
	}
	if n := len(layers) - maxLayers; n > 0 {
		named = append(named, fmt.Sprintf("%d more", n))
	}
	switch len(layers) {
	case 0: // none is required
		return ""
	case 1:
		return " on the layer " + named[0]
	}
	return " on the layers " + list(named)
}

// list joins words as a sentence does.
func list(words []string) string {
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return words[0]
}

// scan counts what the entities of a drawing are, and gathers the names of their layers.
func scan(data []byte) (counts map[string]int, layers []string, ok bool) {
	if len(data) > maxSize || bytes.IndexByte(data[:min(len(data), 512)], 0) >= 0 {
		return nil, nil, false
	}
	counts = map[string]int{}
	seen := map[string]bool{}
	section, entity, code := "", "", ""
	for row := range bytes.Lines(data) {
		text := string(bytes.TrimSpace(row))
		if code == "" {
			code = text
			continue
		}
		switch {
		case code == "0":
			if entity = text; entity == "SECTION" {
				ok = true
			} else if section == "ENTITIES" {
				counts[entity]++
			}
		case code == "2" && entity == "SECTION":
			section = text
		case code == "8" && section == "ENTITIES" && !seen[text] && draws(entity):
			seen[text] = true
			layers = append(layers, text)
		}
		code = ""
	}
	return counts, layers, ok
}

func draws(entity string) bool {
	return slices.ContainsFunc(kinds, func(k struct{ code, one, several string }) bool { return k.code == entity })
}
