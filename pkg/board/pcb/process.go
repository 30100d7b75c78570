package pcb

import "slices"

// A Process is a step of manufacture that a plain board is made without. Its value is the
// name of the fact that the board needs it: stable, snake_case.
type Process string

// The processes that files show.
const (
	BackDrilling     Process = "back_drilling"     // plated holes drilled a second time, down to a layer
	Stiffening       Process = "stiffener"         // a sheet glued on a flexible board
	Coverlaying      Process = "coverlay"          // a film in place of the mask
	RigidFlex        Process = "rigid_flex"        // sheets of polyimide and of others in one board
	CarbonPrinting   Process = "carbon_ink"        // contacts of carbon ink
	PeelableMasking  Process = "peelable_mask"     // a mask that is peeled off after soldering
	DepthRouting     Process = "depth_routing"     // cavities, counterbores, slots milled to a depth
	PressFitting     Process = "press_fit"         // plated holes of narrow tolerance
	ViaFilling       Process = "via_filling"       // vias filled, by a layer that shows which
	SelectiveFinish  Process = "selective_finish"  // gold, silver or tin where a layer shows it
	HeatsinkMasking  Process = "heatsink_paste"    // paste that conducts heat, printed
	EmbeddedParts    Process = "embedded_parts"    // components or resistors within the board
	SemiFlex         Process = "semi_flex"         // rigid sheets milled thin to bend
	PartialMasking   Process = "partial_mask"      // no solder mask on one side or on both, as words say
	HybridStack      Process = "hybrid_stackup"    // sheets of several kinds in one board
	HeatSinking      Process = "heatsink_bonding"  // a coin of copper or a heatsink that is part of the board
	HigherClass      Process = "ipc_class_3"       // built and inspected to IPC class 3
	LaminateProperty Process = "laminate_property" // a property of the laminate that no listed one has: CTI, halogen-free
	HolePlating      Process = "hole_plating"      // more copper in the holes than usual
	FineFlex         Process = "fine_flex"         // structures of a flexible board that are finer than rigid ones may have
	Separating       Process = "board_pieces"      // several boards in one file, which nothing joins and nothing calls a panel
)

// processWords are the processes in words, as the subject of a sentence.
var processWords = map[Process]string{
	BackDrilling: "back drilling", Stiffening: "a stiffener", Coverlaying: "a coverlay",
	RigidFlex: "a rigid-flex build-up", CarbonPrinting: "carbon ink", PeelableMasking: "a peelable mask",
	DepthRouting: "milling to a depth", PressFitting: "press-fit holes", ViaFilling: "filled vias",
	SelectiveFinish: "a finish on some pads only", HeatsinkMasking: "heatsink paste", EmbeddedParts: "parts within the board",
	SemiFlex: "a semi-flexible area", PartialMasking: "solder mask on one side only, or none", HybridStack: "a stackup of several laminates",
	HeatSinking: "a copper coin or a bonded heatsink", HigherClass: "IPC class 3", LaminateProperty: "a laminate property of its own, such as CTI or halogen-free",
	HolePlating: "thicker copper in the holes",
	FineFlex:    "structures of a flexible board that are finer than those of rigid boards",
	Separating:  "several boards that nothing joins",
}

// Processes lists all processes, sorted.
func Processes() []Process {
	var out []Process
	for p := range processWords {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// Words are the process in words within a sentence: "carbon ink".
func (p Process) Words() string { return processWords[p] }

// Needs takes g, the statement that the board needs a process, where it is better known
// than what was stated before.
func (f *Facts) Needs(g Fact[Process]) {
	i := slices.IndexFunc(f.Processes, func(o Fact[Process]) bool { return o.Value == g.Value })
	if i < 0 {
		f.Processes = append(f.Processes, g)
		return
	}
	f.Processes[i].Offer(g)
}
