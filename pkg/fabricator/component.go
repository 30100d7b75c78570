package fabricator

// A Component is a part of the fabricator's own library.
type Component struct {
	Code         string // "C25804"
	Model        string // manufacturer's part number
	Manufacturer string // "" where the detail does not state it: the list does
	Package      string // case
	Category     string
	Description  string
	Basic        bool  // always loaded: no fee for feeding it
	Stock        int64 // pieces
	Joints       int   // solder joints; 0 unknown
	Prices       []ComponentPrice
	ECCN         string
	RoHS         bool
	Assembly     bool              // can be assembled at all
	Datasheet    string            // address
	Lifecycle    string            // in the library's words
	Parameters   map[string]string // values by name, in the library's words
}

// A ComponentPrice is a unit price from a quantity on.
type ComponentPrice struct {
	From int64
	Unit int64 // millionths of the currency of all prices
}

// A ComponentStub is a part of the library as its list gives it.
type ComponentStub struct {
	Code         string
	Model        string
	Manufacturer string
	Stock        int64
}
