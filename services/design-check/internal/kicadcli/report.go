package kicadcli

import (
	"encoding/json"
	"errors"
	"fmt"

	"boardorder/pkg/board/geom"
)

// Report is what KiCad found.
type Report struct {
	Version     string // of KiCad
	Violations  []Violation
	Unconnected []Violation
}

// Violation is one fault as KiCad sees it.
type Violation struct {
	Type        string // shorting_items, clearance, …
	Severity    string // error, warning; exclusions are left out
	Description string
	Items       []Item
}

// Item is what a violation is about.
type Item struct {
	What string
	At   geom.Point // as our boards have it: Y upwards
}

// Parse reads a report in KiCad's JSON, of whatever unit.
func Parse(data []byte) (Report, error) {
	var in struct {
		Version     string      `json:"kicad_version"`
		Units       string      `json:"coordinate_units"`
		Violations  []violation `json:"violations"`
		Unconnected []violation `json:"unconnected_items"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return Report{}, fmt.Errorf("report of KiCad: %w", err)
	}
	if in.Version == "" {
		return Report{}, errors.New("report of KiCad: it names no version")
	}
	unit, ok := map[string]float64{"": 1e6, "mm": 1e6, "mils": 25_400, "in": 25_400_000}[in.Units]
	if !ok {
		return Report{}, fmt.Errorf("report of KiCad: unknown unit %q", in.Units)
	}
	return Report{in.Version, violations(in.Violations, unit), violations(in.Unconnected, unit)}, nil
}

type violation struct {
	Type        string `json:"type"`
	Severity    string `json:"severity"`
	Description string `json:"description"`
	Excluded    bool   `json:"excluded"`
	Items       []struct {
		Description string `json:"description"`
		Pos         struct {
			X, Y float64
		} `json:"pos"`
	} `json:"items"`
}

func violations(in []violation, unit float64) []Violation {
	var out []Violation
	for _, v := range in {
		if v.Excluded || v.Severity == "exclusion" || v.Severity == "ignore" {
			continue
		}
		o := Violation{Type: v.Type, Severity: v.Severity, Description: v.Description}
		for _, i := range v.Items {
			o.Items = append(o.Items, Item{i.Description, geom.Pt(int64(i.Pos.X*unit), -int64(i.Pos.Y*unit))})
		}
		out = append(out, o)
	}
	return out
}
