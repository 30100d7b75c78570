package openfab

import (
	"fmt"
	"time"

	"boardorder/pkg/fabricator"
)

// refusal turns a business code into an error that says what to do.
func (r request) refusal(code int, message, trace string) *fabricator.Error {
	e := &fabricator.Error{Kind: kindOf(code), Message: fmt.Sprintf("code %d: %.200s", code, message), Code: code, Trace: trace}
	switch e.Kind {
	case fabricator.Refused, fabricator.Shipment:
		e.Fields = []fabricator.Field{fields[code]}
	case fabricator.Review:
		e.Reasons = []string{reasons[code]}
	case fabricator.Unavailable:
		e.RetryAfter = 5 * time.Second
		// A server error, or a code that nobody documented, may come after
		// the order was made.
		if r.create && code != tooFrequent {
			e.Kind = fabricator.Unknown
		}
	}
	return e
}

const (
	tooFrequent  = 1002
	serverError  = 1003
	noAudit      = 2501
	wrongBuild   = 2602
	unknownBatch = 2005
)

func kindOf(code int) fabricator.Kind {
	if _, ok := fields[code]; ok {
		if code >= 2300 && code < 2500 {
			return fabricator.Shipment
		}
		return fabricator.Refused
	}
	if _, ok := reasons[code]; ok {
		return fabricator.Review
	}
	switch code {
	case tooFrequent, serverError, noAudit:
		return fabricator.Unavailable
	case unknownBatch, 2113:
		return fabricator.NotFound
	case 2001, 2002, 2003, 2006, 2007, 2008, 2500, 5001:
		return fabricator.Files
	case 3, 401, 403, 404, 1000, 1001, 1004, 2000, 2004, 2009, 2110, 2112, 2118, 2119, 2708:
		return fabricator.Internal
	}
	return fabricator.Unavailable
}

// reasons are the codes that need people, in our words.
var reasons = map[int]string{
	2101: "the fabricator quotes a board of this length by hand",
	2102: "the fabricator quotes a board of this width by hand",
	2115: "the fabricator quotes this combination of options by hand",
	2116: "the board is larger than the fabricator builds without asking",
	2117: "the fabricator wants to look at this order first",
	2125: "the board is larger than the fabricator builds without asking",
	2126: "the board is smaller than the fabricator builds without asking",
	2601: "this combination is built too seldom for an instant price",
	2701: "the fabricator offers this service on request only",
	2807: "a metal-core board takes none of the special services without asking",
	5000: "the fabricator's check of the process asks for a person",
	5004: "a coloured silkscreen is quoted by hand",
}

// fields are the codes that refuse one value: the field of the quote request
// that it comes from, and why.
var fields = map[int]fabricator.Field{
	2099: {Field: "surface_finish", Message: "0.4 mm boards are built with enig only"},
	2100: {Field: "layers", Message: "is not a layer count that is built"},
	2103: {Field: "quantity", Message: "is not a quantity that is built"},
	2104: {Field: "thickness_mm", Message: "is not offered for this board"},
	2105: {Field: "solder_mask", Message: "is not offered for this board"},
	2106: {Field: "surface_finish", Message: "is not offered for this board"},
	2107: {Field: "copper_oz", Message: "is not offered for this board"},
	2108: {Field: "fab_options.gold_fingers", Message: "is not offered for this board"},
	2109: {Field: "material", Message: "is not offered for this board"},
	2111: {Field: "fab_options.different_designs", Message: "is not offered for this board"},
	2120: {Field: "fab_options.castellated_sides", Message: "is not offered for this board"},
	2121: {Field: "fab_options.electrical_test", Message: "is not offered for this board"},
	2122: {Field: "solder_mask", Message: "purple is not offered for this board"},
	2123: {Field: "fab_options.castellated_sides", Message: "castellated holes need two or more layers"},
	2129: {Field: "inner_copper_oz", Message: "is not offered for this board"},
	2602: {Field: "build_hours", Message: "is not one of the build times on offer"},
	2603: {Field: "impedance_controlled", Message: "is not offered for this board"},
	2604: {Field: "fab_stackup", Message: "does not belong to this layer count"},
	2605: {Field: "fab_stackup", Message: "is not offered for this board"},
	2606: {Field: "solder_mask", Message: "is not offered with this stackup"},
	2702: {Field: "fab_options", Message: "name a service that is not known"},
	2703: {Field: "fab_options", Message: "lack the value of a service"},
	2704: {Field: "fab_options", Message: "have a service's value that is not offered"},
	2705: {Field: "fab_options", Message: "name a service that is not known"},
	2706: {Field: "fab_options", Message: "have a service that one-layer boards do not take"},
	2707: {Field: "fab_options.min_via", Message: "needs four or more layers"},
	2801: {Field: "material", Message: "is not offered for this board"},
	2802: {Field: "solder_mask", Message: "is not offered on aluminum"},
	2803: {Field: "layers", Message: "aluminum boards have one layer"},
	2804: {Field: "thickness_mm", Message: "aluminum boards are 1.0, 1.2 or 1.6 mm thick"},
	2805: {Field: "copper_oz", Message: "aluminum boards have 1 oz of copper"},
	2806: {Field: "surface_finish", Message: "aluminum boards are finished with hasl or hasl_lead_free"},
	2808: {Field: "fab_options.gold_fingers", Message: "aluminum boards take no bevelled gold fingers"},
	3000: {Field: "fab_options.blind_slots", Message: "lack their description"},
	3001: {Field: "fab_options.blind_slots", Message: "need FR-4"},
	3002: {Field: "fab_options.blind_slots", Message: "are not offered at this layer count"},
	3003: {Field: "fab_options.blind_slots", Message: "are not offered at this thickness"},
	3004: {Field: "fab_options.blind_slots", Message: "are one to three"},
	3005: {Field: "fab_options.blind_slots", Message: "are not described as needed"},
	5002: {Field: "upload_id", Message: "the design is not of the tool that the option names"},
	5005: {Field: "fab_options.barcode_prefix", Message: "is too long for this size"},
	5006: {Field: "fab_options.barcode_start", Message: "is too long for this size"},

	2300: {Field: "shipping", Message: "is no way of shipping to this destination"},
	2301: {Field: "shipping", Message: "is no way of shipping to this destination"},
	2302: {Field: "shipping", Message: "does not take a parcel of this weight"},
	2399: {Field: "ship_to.tax_id", Message: "has at most 32 characters"},
	2400: {Field: "ship_to.tax_id", Message: "is required for Brazil"},
	2401: {Field: "ship_to.name", Message: "is missing or too long"},
	2402: {Field: "ship_to.name", Message: "needs a first and a last name"},
	2403: {Field: "ship_to.company", Message: "is too long"},
	2404: {Field: "ship_to.line1", Message: "is missing or too long"},
	2405: {Field: "ship_to.line2", Message: "is too long"},
	2406: {Field: "ship_to.city", Message: "is missing or too long"},
	2407: {Field: "ship_to.state", Message: "is missing or too long"},
	2408: {Field: "ship_to.postal_code", Message: "is missing or not one of this country"},
	2409: {Field: "ship_to.phone", Message: "is missing or too long"},
	2410: {Field: "ship_to.country", Message: "is missing or not served"},
}
