package check

// rules is the one table of what is checked. Where each stands does not matter
// to the report; the slow ones come first, so that none is left to run alone.
var rules = []rule{
	{[]Name{OutlineGap, OutlineSliver}, necks},
	{[]Name{OutlineRadius}, corners},
	{[]Name{OutlineMissing, OutlineOpen}, outlines},
	{[]Name{DrillSize, DrillMaximum, AspectRatio}, drills},
	{[]Name{SlotWidth}, slots},
	{[]Name{LayerMissing, LayerExtra, LayerEmpty}, layers},
	{[]Name{BoardWidth, BoardLength, BoardThickness, LayerCount, CopperWeight}, sizes},
}
