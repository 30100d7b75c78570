package pcb

import "boardorder/pkg/board/geom"

// Role is what a layer is for.
type Role uint8

// Roles of layers.
const (
	RoleUnknown      Role = iota
	RoleCopper            // artwork of one copper layer
	RoleMask              // solder mask: what is drawn is opening
	RolePaste             // stencil
	RoleSilk              // silkscreen
	RoleOutline           // profile, cutouts
	RoleDrill             // holes, as Excellon or as Gerber flashes
	RoleDrillDrawing      // drill map for people
	RoleFabDrawing        // fabrication or assembly drawing for people
	RoleAssembly          // component outlines
	RoleGlue              // adhesive dots
	RoleMechanical        // a layer of the tool with no fixed meaning
	RoleVCut              // V-score lines
	RoleKeepOut           // keep-out areas
	RoleCourtyard         // component courtyards
	RoleCarbon            // carbon ink
	RolePeelable          // peelable mask
	RoleViaFill           // via plugging, filling or capping
	RoleGoldFinger        // hard gold
	RoleOther             // known to be none of these
)

var roleNames = [...]string{
	"unknown", "copper", "mask", "paste", "silk", "outline", "drill", "drill drawing", "fab drawing", "assembly",
	"glue", "mechanical", "v-cut", "keep-out", "courtyard", "carbon", "peelable", "via fill", "gold finger", "other",
}

func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return "unknown"
}

// Side is where on the board a layer lies.
type Side uint8

// Sides of a board.
const (
	NoSide Side = iota // neither, or not known
	Top
	Inner
	Bottom
)

func (s Side) String() string {
	return [...]string{"", "top", "inner", "bottom"}[s&3]
}

// Layer is one drawing: a file, or a layer of a design-tool project.
type Layer struct {
	Name  string // as the tool or the file calls it
	File  string // path of the file within the upload
	Role  Role
	Side  Side
	Order int // copper: 1 (top) to N (bottom); 0 where not copper or not known

	// FromLayer and ToLayer are the copper layers that a drill, drill drawing or
	// via-fill layer spans; 0 when not stated.
	FromLayer, ToLayer int

	// Process is what the layer is for that a plain board is made without; "" for none.
	Process Process

	// Negative means that what is drawn is taken away from a full plane: a file
	// with image polarity negative, or a plane layer that the tool inverts.
	Negative bool

	// Step is how far apart neighbouring coordinates are that the file can state, in
	// nanometres; 0 where that is not known. What was drawn lies within half of it.
	Step int64

	Features      []Feature        // in drawing order
	Apertures     []Aperture       // shapes that features refer to
	Transforms    []geom.Transform // index 0 is the identity
	Arcs          []ArcGeometry    // by Feature.Arc of arcs
	Regions       []geom.Polygon   // by Feature.Shape of regions
	AttributeSets []AttributeSet   // index 0 is empty
	Texts         []Text           // lettering among the features, where the format knows it as such

	// Nets and Pins are the names this layer's file used, index 0 empty, until
	// [Board.Adopt] moves them to the board; nil afterwards.
	Nets []string
	Pins []PinName
}

// Text is lettering that a layer's features draw, as the file states it.
type Text struct {
	Text     string
	At       geom.Point // its anchor
	Height   int64      // of capitals
	Mirrored bool       // as seen from the top
	Line     int32
}

// PinName names a component's pin as a file attribute does.
type PinName struct {
	Component string // reference designator
	Pin       string // number
	Function  string // name, where given
}

// ArcGeometry is what an arc feature needs beside its ends.
type ArcGeometry struct {
	Centre    geom.Point
	Clockwise bool
}

// AttributeSet is what a file attached to a feature, beyond net, pin and function.
type AttributeSet []Attribute

// Attribute is one named list of values, such as .AperFunction: ViaPad.
type Attribute struct {
	Name   string
	Values []string
}

// NewLayer is an empty layer whose tables have their empty first entries.
func NewLayer(name, file string) *Layer {
	return &Layer{
		Name: name, File: file,
		Transforms:    []geom.Transform{{}},
		AttributeSets: []AttributeSet{nil},
		Nets:          []string{""},
		Pins:          []PinName{{}},
	}
}
