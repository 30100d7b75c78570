package dfm

import (
	"maps"
	"slices"
	"strings"
)

// Names are all checks, sorted.
func Names() []Name { return slices.Sorted(maps.Keys(Words)) }

// Words names checks for people.
var Words = map[Name]string{
	TrackWidth: "track widths", TrackClearance: "spacing of tracks", PadClearance: "spacing of pads",
	CopperToEdge: "copper near the board's edge", CopperToHole: "copper near holes", CopperToVia: "copper near vias", CopperToPTH: "copper near holes for leads",
	CopperToNPTH: "copper near non-plated holes", CopperToVScore: "copper near V-scores", HoleToHole: "spacing of holes",
	HoleToEdge: "holes near the board's edge", AnnularRing: "annular rings", NPTHRing: "rings of non-plated holes",
	DrillSize: "sizes of drills", DrillMaximum: "largest drill", SlotWidth: "widths of slots", AspectRatio: "depth of drills by their width",
	MaskExpansion: "size of mask openings", MaskBridge: "solder mask between pads", SilkWidth: "line widths of the legend",
	SilkHeight: "height of the legend's text", SilkToMask: "legend near bare copper", OutlineRadius: "inner corners of the outline",
	SlotTooNarrow: "narrow slots of the outline", BoardNeck: "narrow tongues of board", CopperSliver: "slivers of copper",
	BoardWidth: "width of the board", BoardLength: "length of the board", BoardThickness: "thickness of the board",
	Short: "shorts", Open: "open nets", Unrouted: "unrouted connections", NetsContradict: "nets and copper as a whole", DesignRule: "the design's own rules",
	OutlineMissing: "presence of an outline", OutlineOpen: "closed outline", BoardPieces: "pieces of the board", CopperOutside: "copper outside of the board",
	LayerMissing: "missing layers", LayerExtra: "extra layers", LayerOrder: "order of the copper layers", LayerEmpty: "empty layers", HoleWithoutCopper: "stray holes", LandMissing: "lands of plated holes", Registration: "registration of holes and copper",
	MaskMissing: "missing mask openings", ExposedCopper: "exposed copper", SilkOverCopper: "legend on bare copper",
	NegativePlane: "negative planes", AcidTrap: "acid traps", Castellation: "castellated holes", ViaInPad: "vias in pads",
	TextMirrored: "mirrored text", FilesUnreadable: "files that could not be read", CopperWeight: "weight of the copper",
	LayerCount: "number of layers", TooComplex: "size of what the files expand to", ComponentHoleToHole: "spacing of holes for leads", ViaRing: "rings of vias",
	NPTHDrillSize: "sizes of non-plated holes", NPTHSlotWidth: "widths of non-plated slots",
	ToolSizeMissing: "sizes of tools", CastellationSize: "sizes of castellated holes", MaskToCopper: "mask openings near other copper",
}

// Words names the check for people: "track widths".
func (n Name) Words() string {
	if w, ok := Words[n]; ok {
		return w
	}
	return strings.ReplaceAll(string(n), "_", " ")
}
