package dfm

// rules is the one table of what is checked. Where each stands does not matter
// to the report: first the one that has the copper worked out, beside it those that
// need no copper, then the slow ones, so that none is left to run alone.
var rules = []rule{
	{[]Name{Short, Open, Unrouted}, nets},
	{[]Name{SilkOverCopper, SilkToMask}, legendOnCopper},
	{[]Name{MaskExpansion, MaskMissing}, maskPads},
	{[]Name{SilkWidth}, legends},
	{[]Name{SilkHeight, TextMirrored}, texts},
	{[]Name{TrackClearance, PadClearance, DesignRule}, spacings},
	{[]Name{TrackWidth, CopperSliver}, widths},
	{[]Name{AnnularRing, ViaRing, NPTHRing}, rings},
	{copperToHoles, copperHoles},
	{[]Name{CopperToEdge, CopperToVScore, CopperOutside}, copperEdges},
	{[]Name{ExposedCopper, MaskToCopper}, exposed},
	{[]Name{DesignRule}, toolRules},
	{[]Name{MaskBridge}, bridges},
	{[]Name{AcidTrap}, acidTraps},
	{[]Name{ViaInPad}, viasInPads},
	{[]Name{HoleToHole, ComponentHoleToHole}, holeSpacing},
	{[]Name{HoleToEdge, Castellation, CastellationSize}, holeEdges},
	{[]Name{HoleWithoutCopper}, strays},
	{[]Name{LandMissing, Registration}, lands},
	{[]Name{SlotTooNarrow, BoardNeck}, necks},
	{[]Name{OutlineRadius}, corners},
	{[]Name{OutlineMissing, OutlineOpen}, outlines},
	{[]Name{DrillSize, NPTHDrillSize, DrillMaximum, AspectRatio}, drills},
	{[]Name{SlotWidth, NPTHSlotWidth}, slots},
	{[]Name{NegativePlane}, negatives},
	{[]Name{LayerMissing, LayerExtra, LayerEmpty}, layers},
	{[]Name{BoardWidth, BoardLength, BoardThickness, LayerCount, CopperWeight}, sizes},
}
