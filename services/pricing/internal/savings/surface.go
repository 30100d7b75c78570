package savings

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/savings"
	"boardorder/services/pricing/internal/options"
)

// Bounds of what is levelled with hot air: solder is not flat enough for parts whose pads lie
// closer, which are those with pins 0.4 mm apart, and a thinner board warps in the bath.
const (
	levelledGapMM       = 0.21
	levelledThicknessMM = 0.8
)

const (
	enig     = "enig"
	leadFree = "hasl_lead_free"
	goldKey  = "gold_thickness_uin"
)

// needGold are options and processes that a surface of solder does not do for.
var (
	needGold          = []string{"gold_fingers", "castellated_sides", "edge_plating", "press_fit_holes", "flex_gold_fingers"}
	needGoldProcesses = []pcb.Process{pcb.SelectiveFinish, pcb.PressFitting}
)

// finish is lead-free HASL for ENIG. HASL with lead is never offered: whether a product may
// hold lead is no matter of its price.
func finish(c *catalog.Catalog, b Board) []Change {
	d := b.Details
	family, _ := c.FamilyOf(d.Material)
	if d.SurfaceFinish != enig || !slices.Contains(family.Finishes, leadFree) || !b.isLevelled(c) {
		return nil
	}
	means := "The pads are covered with lead-free solder in place of gold. They are soldered as well, and are less flat: keep ENIG for parts with balls or with pins closer than 0.5 mm, for contacts, and for bonding wires."
	if b.isStatedByFile("surface_finish") {
		means += " The files ask for ENIG; the request would be followed."
	}
	out := change(savings.SurfaceFinish, "surface_finish", enig, leadFree, means)
	to := leadFree
	out.Request = b.Request
	out.Request.SurfaceFinish = &to
	if _, gold := b.Request.FabOptions[goldKey]; gold {
		out.Request.FabOptions = dropOptions(b.Request, goldKey)
		out.Body["fab_options"] = out.Request.FabOptions
	}
	return []Change{out}
}

// isLevelled reports whether a surface that is levelled with hot air does for a board, as
// far as its files tell. What was not looked at does not.
func (b Board) isLevelled(c *catalog.Catalog) bool {
	gap := b.Facts.MinSpaceMM
	switch {
	case b.FineParts, isFilled(b.Details.ViaProcess), b.Details.ThicknessMM < levelledThicknessMM:
		return false
	case gap.Known && gap.Value < levelledGapMM, !gap.Known && !b.Inspected:
		return false
	case isShown(b.Facts.GoldFingers), isShown(b.Facts.Castellations), isShown(b.Facts.EdgePlating), isShown(b.Facts.CopperUnknown):
		return false
	case slices.ContainsFunc(needGold, func(key string) bool { return b.isChosen(c, key) }):
		return false
	}
	return !slices.ContainsFunc(b.Facts.Processes, func(p options.NeededProcess) bool {
		return slices.Contains(needGoldProcesses, p.Name) && isShown(p.Needed)
	})
}

func isShown(f options.Fact[bool]) bool { return f.Known && f.Value }

// goldThickness is the thinnest gold that the fabricator has.
func goldThickness(c *catalog.Catalog, b Board) []Change {
	set, asked := b.Request.FabOptions[goldKey]
	o, known := c.Option(goldKey)
	if !known || !asked || set == o.Default || b.Details.SurfaceFinish != enig || b.isChosen(c, "gold_fingers") || isShown(b.Facts.GoldFingers) {
		return nil
	}
	rest := dropOptions(b.Request, goldKey)
	out := Change{
		Kind: savings.GoldThickness, Request: b.Request, Body: map[string]any{"fab_options": rest},
		Changes: []savings.Changed{{Field: "fab_options." + goldKey, From: set, To: o.Default}},
		Means:   fmt.Sprintf("The gold is %v microinch thick in place of %v: as good for soldering. Keep the thicker gold for contacts that rub and for bonding wires.", o.Default, set),
	}
	out.Request.FabOptions = rest
	return []Change{out}
}

// solderMask is the usual colour of the material, which has the finest limits too.
func solderMask(c *catalog.Catalog, b Board) []Change {
	from, to := b.Details.SolderMask, c.StandardFor(b.Details.Material, b.Details.Layers).SolderMask
	if from == to || from == "" {
		return nil
	}
	means := fmt.Sprintf("The boards are %s in place of %s; copper, holes and pads are the same.", strings.ToLower(to), strings.ToLower(from))
	if was, is := c.Silkscreen(from), c.Silkscreen(to); was != is {
		means += fmt.Sprintf(" The silkscreen is %s in place of %s.", strings.ToLower(is), strings.ToLower(was))
	}
	out := change(savings.SolderMask, "solder_mask", from, to, means)
	out.Request = b.Request
	out.Request.SolderMask = &to
	return []Change{out}
}

// material is the usual FR-4 for one that softens later, where nobody but the request asks
// for that and the board does not get hot by how it is made.
func material(b Board) []Change {
	const usual = "FR-4"
	d := b.Details
	softens := map[string]int{"FR-4 / TG155": 155, "FR-4 / TG170": 170}[d.Material]
	switch {
	case softens == 0, b.From["material"] != "request", d.Layers > 4, b.Request.Assembly:
		return nil
	case d.ImpedanceControlled, d.FabStackup != "", b.Facts.Dielectrics.Known, isFilled(d.ViaProcess), d.CopperOz > 1, d.InnerCopperOz != nil && *d.InnerCopperOz > 1:
		return nil
	}
	out := change(savings.Material, "material", d.Material, usual, fmt.Sprintf("The board softens from 135 °C on in place of %d °C. That does for a board of %d layers that is soldered once or twice; keep the other for boards that get hot.", softens, d.Layers))
	to := usual
	out.Request = b.Request
	out.Request.Material = &to
	return []Change{out}
}
