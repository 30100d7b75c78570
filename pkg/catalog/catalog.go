// Package catalog knows what the primary fabricator builds: materials,
// finishes, colours, thicknesses, documented services, and every key that
// `fab_options` takes. One versioned data file, catalog.json, feeds the
// capabilities that clients read, the validation of what they send, the
// questions that they are asked and the decision that people must look.
//
// It refuses to know prices and wire codes.
package catalog

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
)

//go:embed catalog.json
var embedded []byte

// A Catalog is what the fabricator builds. It is read-only after Load.
type Catalog struct {
	Version string `json:"version"`
	Checked string `json:"checked"` // the day the data were last held against their sources

	Standard Standard `json:"standard"`
	Quantity Quantity `json:"quantity"`

	Materials       []Material        `json:"materials"`
	Families        map[string]Family `json:"families"`
	SurfaceFinishes []Choice          `json:"surface_finishes"`
	SolderMasks     []Mask            `json:"solder_masks"`
	ViaProcesses    []Choice          `json:"via_processes"`
	Rules           []Rule            `json:"rules"`

	// Services are the documented services; Options the remaining keys of
	// `fab_options`. Both are chosen by key.
	Services []Option `json:"services"`
	Options  []Option `json:"options"`

	byKey      map[string]*Option
	vocabulary vocabulary
}

// Standard is what applies to whatever nobody stated.
type Standard struct {
	Thickness     float64 `json:"thickness_mm,omitempty"`
	Copper        float64 `json:"copper_oz,omitempty"`
	InnerCopper   float64 `json:"inner_copper_oz,omitempty"`
	SurfaceFinish string  `json:"surface_finish,omitempty"`
	SolderMask    string  `json:"solder_mask,omitempty"`
	Material      string  `json:"material,omitempty"`
	ViaProcess    string  `json:"via_process,omitempty"`
}

// Quantity bounds an order. Fewer than Minimum boards are ordered as Minimum.
type Quantity struct {
	Minimum int   `json:"minimum"`
	Maximum int   `json:"maximum"`
	Usual   []int `json:"usual"`
}

// A Choice is one public value, such as `enig`.
type Choice struct {
	ID    string `json:"id"`
	Name  string `json:"name,omitempty"`
	About string `json:"about,omitempty"`

	// Materials are those that the value exists for; empty means all.
	Materials []string `json:"materials,omitempty"`

	// Review, when set, is why this value is quoted by people.
	Review string `json:"review,omitempty"`
}

// A Material is a laminate. What can be built of it is its Family's matter.
type Material struct {
	Choice
	Family string `json:"family"`
}

// A Mask is a solder mask colour and the silkscreen colour that goes with it.
type Mask struct {
	Choice
	Silkscreen string `json:"silkscreen"`
}

// A Family is what can be built instantly of materials of one kind.
type Family struct {
	Name         string           `json:"name"`
	Layers       []int            `json:"layers"`
	ReviewLayers []int            `json:"review_layers,omitempty"` // built, but quoted by people
	Thickness    []ThicknessRange `json:"thickness"`
	Copper       []CopperRange    `json:"copper"`
	Finishes     []string         `json:"surface_finishes"`
	Masks        []string         `json:"solder_masks"`
	ViaProcesses []ViaRange       `json:"via_processes"`
	Size         Size             `json:"size"`
	Standard     Standard         `json:"standard,omitzero"` // what differs from the standard
}

// A ThicknessRange lists the finished thicknesses, in mm, at some layer counts.
type ThicknessRange struct {
	Layers []int     `json:"layers"`
	MM     []float64 `json:"mm"`
}

// A CopperRange lists the copper weights, in oz, at some layer counts.
type CopperRange struct {
	Layers []int     `json:"layers"`
	Outer  []float64 `json:"outer"`
	Inner  []float64 `json:"inner,omitempty"`
}

// A ViaRange lists the via processes at some layer counts.
type ViaRange struct {
	Layers []int    `json:"layers"`
	IDs    []string `json:"ids"`
}

// A Size bounds a board's sides in mm, longer side first; a board may lie
// either way.
type Size struct {
	Min [2]float64 `json:"min_mm"`
	Max [2]float64 `json:"max_mm"`
}

// Load reads the catalogue that is built into the program.
func Load() (*Catalog, error) {
	c, err := Parse(embedded)
	if err == nil {
		err = c.loadWords()
	}
	return c, err
}

// Parse reads a catalogue and checks that it agrees with itself.
func Parse(data []byte) (*Catalog, error) {
	c := new(Catalog)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	c.byKey = make(map[string]*Option)
	if err := c.validate(); err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	return c, nil
}

// Material returns the material of that id.
func (c *Catalog) Material(id string) (Material, bool) {
	i := slices.IndexFunc(c.Materials, func(m Material) bool { return m.ID == id })
	if i < 0 {
		return Material{}, false
	}
	return c.Materials[i], true
}

// MaterialIDs lists the laminates.
func (c *Catalog) MaterialIDs() []string {
	out := make([]string, len(c.Materials))
	for i, m := range c.Materials {
		out[i] = m.ID
	}
	return out
}

// SolderMaskIDs lists the colours of the solder mask.
func (c *Catalog) SolderMaskIDs() []string {
	out := make([]string, len(c.SolderMasks))
	for i, m := range c.SolderMasks {
		out[i] = m.ID
	}
	return out
}

// SurfaceFinishIDs lists the surface finishes.
func (c *Catalog) SurfaceFinishIDs() []string { return ids(c.SurfaceFinishes) }

// ViaProcessIDs lists the via processes.
func (c *Catalog) ViaProcessIDs() []string { return ids(c.ViaProcesses) }

// FamilyOf returns what can be built of the material.
func (c *Catalog) FamilyOf(material string) (Family, bool) {
	m, ok := c.Material(material)
	if !ok {
		return Family{}, false
	}
	f, ok := c.Families[m.Family]
	return f, ok
}

// StandardFor is the standard with what the material changes about it. Inner
// copper is zero below four layers.
func (c *Catalog) StandardFor(material string, layers int) Standard {
	s := c.Standard
	if f, ok := c.FamilyOf(material); ok {
		s = s.overlay(f.Standard)
		s.Material = material
	}
	if layers > 0 && layers < 4 {
		s.InnerCopper = 0
	}
	return s
}

func (s Standard) overlay(o Standard) Standard {
	pick(&s.Thickness, o.Thickness)
	pick(&s.Copper, o.Copper)
	pick(&s.InnerCopper, o.InnerCopper)
	pick(&s.SurfaceFinish, o.SurfaceFinish)
	pick(&s.SolderMask, o.SolderMask)
	pick(&s.ViaProcess, o.ViaProcess)
	return s
}

func pick[T comparable](dst *T, v T) {
	if v != *new(T) {
		*dst = v
	}
}

// BuildQuantity is how many boards are built when quantity are asked for.
func (c *Catalog) BuildQuantity(quantity int) int { return max(quantity, c.Quantity.Minimum) }

// Silkscreen is the silkscreen colour that goes with a mask colour.
func (c *Catalog) Silkscreen(mask string) string {
	for _, m := range c.SolderMasks {
		if m.ID == mask {
			return m.Silkscreen
		}
	}
	return "White"
}

// ThicknessFor lists the thicknesses, in mm, of a material at a layer count.
func (c *Catalog) ThicknessFor(material string, layers int) []float64 {
	f, _ := c.FamilyOf(material)
	for _, r := range f.Thickness {
		if slices.Contains(r.Layers, layers) {
			return r.MM
		}
	}
	return nil
}

// CopperFor lists the outer and inner copper weights, in oz.
func (c *Catalog) CopperFor(material string, layers int) (outer, inner []float64) {
	f, _ := c.FamilyOf(material)
	for _, r := range f.Copper {
		if slices.Contains(r.Layers, layers) {
			return r.Outer, r.Inner
		}
	}
	return nil, nil
}

// ViaProcessesFor lists the via processes of a material at a layer count.
func (c *Catalog) ViaProcessesFor(material string, layers int) []string {
	f, _ := c.FamilyOf(material)
	for _, r := range f.ViaProcesses {
		if slices.Contains(r.Layers, layers) {
			return r.IDs
		}
	}
	return nil
}
