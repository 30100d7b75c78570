package kicad

import (
	"encoding/json"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A projectFile is what of a .kicad_pro matters for fabrication; lengths are
// millimetres.
type projectFile struct {
	Board struct {
		DesignSettings struct {
			Rules struct {
				Clearance    float64 `json:"min_clearance"`
				Track        float64 `json:"min_track_width"`
				Via          float64 `json:"min_via_diameter"`
				Hole         float64 `json:"min_through_hole_diameter"`
				Annular      float64 `json:"min_via_annular_width"`
				OldAnnular   float64 `json:"min_via_annulus"`
				MicroVia     float64 `json:"min_microvia_diameter"`
				MicroDrill   float64 `json:"min_microvia_drill"`
				HoleClear    float64 `json:"min_hole_clearance"`
				HoleToHole   float64 `json:"min_hole_to_hole"`
				Edge         float64 `json:"min_copper_edge_clearance"`
				OldEdge      float64 `json:"copper_edge_clearance"`
				Silk         float64 `json:"min_silk_clearance"`
				MaskToCopper float64 `json:"solder_mask_to_copper_clearance"`
			} `json:"rules"`
		} `json:"design_settings"`
	} `json:"board"`
	NetSettings struct {
		Classes []struct {
			Name      string   `json:"name"`
			Clearance float64  `json:"clearance"`
			Track     float64  `json:"track_width"`
			Via       float64  `json:"via_diameter"`
			ViaDrill  float64  `json:"via_drill"`
			Nets      []string `json:"nets"`
		} `json:"classes"`
		Patterns []struct {
			Class   string `json:"netclass"`
			Pattern string `json:"pattern"`
		} `json:"netclass_patterns"`
		Assignments map[string]json.RawMessage `json:"netclass_assignments"`
	} `json:"net_settings"`
}

func readProjectFile(b *pcb.Board, f File) {
	var p projectFile
	if err := json.Unmarshal(f.Data, &p); err != nil {
		b.Findings = append(b.Findings, pcb.Finding{Code: "unreadable_file", Level: pcb.Warning, File: f.Name,
			Line: jsonLine(f.Data, err), Message: "the KiCad project file is not sound JSON, so its rules are unknown: " + err.Error()})
		return
	}
	in, r := p.Board.DesignSettings.Rules, &b.Rules
	for _, v := range []struct {
		to   *int64
		from float64
	}{
		{&r.Clearance, in.Clearance}, {&r.TrackWidth, in.Track}, {&r.ViaDiameter, in.Via}, {&r.ViaDrill, in.Hole},
		{&r.AnnularRing, max(in.Annular, in.OldAnnular)}, {&r.MicroViaDiameter, in.MicroVia}, {&r.MicroViaDrill, in.MicroDrill},
		{&r.HoleClearance, in.HoleClear}, {&r.HoleToHole, in.HoleToHole}, {&r.EdgeClearance, max(in.Edge, in.OldEdge)},
		{&r.SilkClearance, in.Silk},
	} {
		if mm := sane(v.from); mm > 0 {
			*v.to = mm
		}
	}
	r.Classes = p.classes()
}

// sane gives nanometres of millimetres that can be a rule; 0 otherwise.
func sane(mm float64) int64 {
	if mm > 0 && mm < 1000 {
		return geom.MM(mm)
	}
	return 0
}

func (p *projectFile) classes() []pcb.NetClass {
	var out []pcb.NetClass
	index := map[string]int{}
	for _, c := range p.NetSettings.Classes {
		index[c.Name] = len(out)
		out = append(out, pcb.NetClass{
			Name: c.Name, Clearance: sane(c.Clearance), TrackWidth: sane(c.Track), ViaDiameter: sane(c.Via),
			ViaDrill: sane(c.ViaDrill), Nets: c.Nets,
		})
	}
	for _, a := range p.NetSettings.Patterns {
		if i, ok := index[a.Class]; ok {
			out[i].Nets = append(out[i].Nets, a.Pattern)
		}
	}
	for net, raw := range p.NetSettings.Assignments {
		for _, class := range parseClasses(raw) {
			if i, ok := index[class]; ok {
				out[i].Nets = append(out[i].Nets, net)
			}
		}
	}
	return out
}

// parseClasses reads the class of a net: one name, or since KiCad 9 several.
func parseClasses(raw json.RawMessage) []string {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var many []string
	if json.Unmarshal(raw, &many) != nil {
		return nil
	}
	return many
}

func jsonLine(data []byte, err error) int {
	offset := int64(0)
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	return 1 + strings.Count(string(data[:min(int64(len(data)), offset)]), "\n")
}

// readLegacyProject reads the rules of a .pro of KiCad 5: lines of key=value.
// What the board itself states wins.
func readLegacyProject(b *pcb.Board, f File) {
	r := &b.Rules
	to := map[string]*int64{
		"MinTrackWidth": &r.TrackWidth, "MinViaDiameter": &r.ViaDiameter, "MinViaDrill": &r.ViaDrill,
		"MinMicroViaDiameter": &r.MicroViaDiameter, "MinMicroViaDrill": &r.MicroViaDrill, "MinHoleToHole": &r.HoleToHole,
		"CopperEdgeClearance": &r.EdgeClearance,
	}
	for line := range strings.Lines(string(f.Data)) {
		key, value, ok := strings.Cut(strings.TrimSpace(line), "=")
		v := to[key]
		if !ok || v == nil || *v != 0 {
			continue
		}
		if mm, err := strconv.ParseFloat(value, 64); err == nil {
			*v = sane(mm)
		}
	}
}
