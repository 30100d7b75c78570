package catalog

import (
	"slices"

	"boardorder/pkg/contract/stackups"
)

// Capabilities is the reply of GET /v1/capabilities.
type Capabilities struct {
	OK              bool              `json:"ok"`
	Version         string            `json:"version"`
	Checked         string            `json:"checked"` // the day the data were last checked
	Standard        Standard          `json:"standard"`
	Quantity        Quantity          `json:"quantity"`
	Materials       []MaterialAbility `json:"materials"`
	SurfaceFinishes []Choice          `json:"surface_finishes"`
	SolderMasks     []Mask            `json:"solder_masks"`
	ViaProcesses    []Choice          `json:"via_processes"`
	Services        []OptionAbility   `json:"services"`
	FabOptions      []OptionAbility   `json:"fab_options"` // every key a quote takes, services included
	// Stackups are what fab_stackup takes. The fabricator's shelf changes, so they
	// are not the catalogue's: whoever replies fills them in.
	Stackups         []stackups.Stackup `json:"fab_stackups"`
	StackupsComplete bool               `json:"fab_stackups_complete"`
	Notes            []string           `json:"notes"`
}

// A MaterialAbility is a material and what is built of it without asking.
type MaterialAbility struct {
	Choice
	Layers          []int            `json:"layers"`
	ReviewLayers    []int            `json:"review_layers,omitempty"`
	Thickness       []ThicknessRange `json:"thickness_mm"`
	Copper          []CopperRange    `json:"copper_oz"`
	SurfaceFinishes []string         `json:"surface_finishes"`
	SolderMasks     []string         `json:"solder_masks"`
	ViaProcesses    []ViaRange       `json:"via_processes"`
	Size            Size             `json:"size"`
	Standard        Standard         `json:"standard"`
}

// An OptionAbility is an option with the materials that it exists for by name.
type OptionAbility struct {
	Option
	Families  []string `json:"families,omitempty"` // hides Option's: materials say it better
	Materials []string `json:"materials,omitempty"`
}

// Capabilities is the catalogue as clients read it.
func (c *Catalog) Capabilities() Capabilities {
	out := Capabilities{
		OK: true, Version: c.Version, Checked: c.Checked, Standard: c.Standard, Quantity: c.Quantity,
		SurfaceFinishes: c.SurfaceFinishes, SolderMasks: c.SolderMasks, ViaProcesses: c.ViaProcesses,
		Stackups: []stackups.Stackup{},
		Notes: []string{
			"The live quote decides whether a combination is available and what it costs.",
			"Anything outside of this list is quoted by the operator's team: send special_requirements true and say what in special_notes.",
			"A code of fab_stackups goes with boards of its layers, thickness, copper and material only.",
			"Fewer boards than the minimum quantity are built and priced as the minimum.",
		},
	}
	for _, m := range c.Materials {
		f := c.Families[m.Family]
		out.Materials = append(out.Materials, MaterialAbility{
			Choice: m.Choice, Layers: f.Layers, ReviewLayers: f.ReviewLayers, Thickness: f.Thickness, Copper: f.Copper,
			SurfaceFinishes: f.Finishes, SolderMasks: f.Masks, ViaProcesses: f.ViaProcesses, Size: f.Size,
			Standard: c.StandardFor(m.ID, 0),
		})
	}
	for _, o := range c.Services {
		out.Services = append(out.Services, c.ability(o))
	}
	out.FabOptions = slices.Clone(out.Services)
	for _, o := range c.Options {
		out.FabOptions = append(out.FabOptions, c.ability(o))
	}
	return out
}

func (c *Catalog) ability(o Option) OptionAbility {
	a := OptionAbility{Option: o}
	for _, m := range c.Materials {
		if slices.Contains(o.Families, m.Family) {
			a.Materials = append(a.Materials, m.ID)
		}
	}
	return a
}

// StackupLayers are the numbers of layers that there are build-ups of: those of
// the standard material that have something between them.
func (c *Catalog) StackupLayers() []int {
	f, _ := c.FamilyOf(c.Standard.Material)
	return slices.DeleteFunc(slices.Clone(f.Layers), func(n int) bool { return n < 4 })
}
