package tariff

import "math"

const (
	ounceMM       = 0.0348 // thickness of one ounce of copper on a square foot
	copperDensity = 8.96   // g/cm3
)

// grams is the weight of the packed order, from area and thickness.
func (tb *table) grams(j job) int64 {
	m, _ := j.catalog.Material(j.spec.Material)
	cm2 := j.area * 1e4
	copper := 2 * j.spec.OuterCopper
	if j.spec.Layers == 1 {
		copper = j.spec.OuterCopper
	} else if j.spec.Layers > 2 {
		copper += float64(j.spec.Layers-2) * j.spec.InnerCopper
	}
	copperMM := copper * ounceMM * tb.Weight.CopperShare
	laminate := math.Max(0, mm(j.spec.Thickness)-copperMM) / 10 * cm2 * tb.Weight.Density[m.Family]
	return int64(math.Ceil((laminate+copperMM/10*cm2*copperDensity)*tb.Weight.PackingFactor + tb.Weight.PackingGrams))
}
