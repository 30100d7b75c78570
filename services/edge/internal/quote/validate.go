// Package quote is the edge's part in quoting: it checks the form of a
// request, finds out whether it was sent before, passes it on and answers with
// what came of it. Prices and choices are made elsewhere.
package quote

import (
	"strings"

	"boardorder/pkg/address"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/jsonbody"
)

// Bounds of a request's fields.
const (
	maxQuantity   = 100_000
	maxBuildHours = 24 * 366
	maxLayers     = 64
	maxEntries    = 300
	maxText       = 5000
	maxOptions    = 100
	maxDepth      = 4
	maxFree       = 16 << 10
	maxReference  = 100
	maxPartNumber = 200
)

// beyondBounds is what to do for a board that no field can say.
const beyondBounds = "; for anything else leave it out, send special_requirements: true and say it in special_notes"

// Validate reads a request. What is wrong with it is noted in f; unknown are
// the properties that the service does not know.
func Validate(f *jsonbody.Fields, rules Rules) (r quotes.Request, unknown []string) {
	requireUpload(f, &r)
	if n := f.Int("quantity", 1, maxQuantity); n != nil {
		r.Quantity = *n
	} else if missing(f, "quantity") {
		f.Refuse("quantity", jsonbody.Missing, map[string]float64{"min": 1, "max": maxQuantity}, "quantity is required: how many boards.")
	}
	r.BuildTimeHours = f.Int("build_time_hours", 1, maxBuildHours)
	unknown = readBoard(f, rules, &r)
	var more []string
	if s := f.Object("ship_to"); s != nil {
		r.ShipTo, more = shipTo(s)
	}
	rules.complete(f, r)
	return r, append(f.Unknown(), append(unknown, more...)...)
}

// readBoard reads what a request says of the board and its parts, whatever the number and
// wherever they go.
func readBoard(f *jsonbody.Fields, rules Rules, r *quotes.Request) (unknown []string) {
	c := rules.Catalog
	special := f.Flag("special_requirements")
	r.SpecialRequirements = special
	r.Layers = f.Int("layers", 1, maxLayers)
	r.ThicknessMM = f.NumberOr("thickness_mm", 0.1, 10, beyondBounds)
	r.CopperOz = f.NumberOr("copper_oz", 0.1, 12, beyondBounds)
	r.InnerCopperOz = f.NumberOr("inner_copper_oz", 0.1, 12, beyondBounds)
	r.SurfaceFinish = choice(f, c, "surface_finish", special)
	r.SolderMask = choice(f, c, "solder_mask", special)
	r.Material = choice(f, c, "material", special)
	r.ViaProcess = choice(f, c, "via_process", special)
	r.FabOptions = fabOptions(f)
	r.ImpedanceControlled = f.Bool("impedance_controlled")
	r.FabStackup = f.Text("fab_stackup", 200, false)
	r.FileStackup = f.Free("file_stackup", maxFree, maxDepth)
	r.SeparateBoards = f.Free("separate_boards", maxFree, maxDepth)
	r.FileAnswers = design.Answers(f)
	texts(f, r)
	_ = f.Bool("itar")
	return parts(f, r)
}

// choice takes a value of the catalogue, in whatever spelling, or by a well-known other
// name. other lets what is not in the catalogue pass.
func choice(f *jsonbody.Fields, c *catalog.Catalog, option string, other bool) *string {
	return f.Choice(option, c.IDsOf(option), func(written string) (string, bool) { return c.ResolveID(option, written) }, other)
}

func requireUpload(f *jsonbody.Fields, r *quotes.Request) {
	if id := f.Text("upload_id", design.MaxUploadID, false); id != nil {
		r.UploadID = *id
	} else if missing(f, "upload_id") {
		f.Refuse("upload_id", jsonbody.Missing, nil, "upload_id is required; POST /v1/uploads gives one.")
	}
}

// missing reports whether a field was left out, rather than refused.
func missing(f *jsonbody.Fields, name string) bool {
	s, isText := f.Raw(name).(string)
	return f.Raw(name) == nil || isText && untrusted.CleanLine(s) == ""
}

func texts(f *jsonbody.Fields, r *quotes.Request) {
	r.SpecialNotes = f.Text("special_notes", maxText, true)
	r.BoardContext = f.Text("board_context", maxText, true)
	r.ProjectName = f.Text("project_name", 200, false)
	r.Board = f.Text("board", 255, false)
	r.StandardForUnstated = f.Flag("standard_for_unstated")
	r.SkipBoardChecks = f.Flag("skip_board_checks")
	r.Assembly = f.Flag("assembly")
	r.StaffPicksParts = f.Flag("staff_picks_parts")
}

func parts(f *jsonbody.Fields, r *quotes.Request) (unknown []string) {
	r.CustomerSuppliedRefs = f.Texts("customer_supplied_refs", maxEntries, maxReference)
	r.DoNotFitRefs = f.Texts("do_not_fit_refs", maxEntries, maxReference)
	for _, s := range f.Objects("substitutions", maxEntries) {
		r.Substitutions = append(r.Substitutions, assemblies.Substitution{
			Reference:               need(s, "reference", maxReference),
			OriginalMPN:             need(s, "original_mpn", maxPartNumber),
			ReplacementMPN:          need(s, "replacement_mpn", maxPartNumber),
			Reason:                  text(s, "reason", 1000),
			ReplacementManufacturer: text(s, "replacement_manufacturer", maxPartNumber),
		})
		unknown = append(unknown, s.Unknown()...)
	}
	return unknown
}

func need(f *jsonbody.Fields, name string, most int) string {
	v := text(f, name, most)
	if v == "" && missing(f, name) {
		f.Refuse(name, jsonbody.Missing, nil, "%s is required.", name)
	}
	return v
}

func text(f *jsonbody.Fields, name string, most int) string {
	if v := f.Text(name, most, false); v != nil {
		return *v
	}
	return ""
}

func fabOptions(f *jsonbody.Fields) map[string]any {
	raw := f.Raw("fab_options")
	m, ok := raw.(map[string]any)
	switch {
	case raw == nil:
		return nil
	case !ok:
		f.Refuse("fab_options", jsonbody.WrongType, nil, "fab_options is an object of option keys and values; GET /v1/capabilities lists them.")
		return nil
	case len(m) > maxOptions:
		f.Refuse("fab_options", jsonbody.TooLong, map[string]int{"max_properties": maxOptions}, "fab_options has at most %d keys.", maxOptions)
		return nil
	case f.Free("fab_options", maxFree, maxDepth) == nil:
		return nil
	case len(m) == 0:
		return nil
	}
	m, _ = jsonbody.Canonical(m).(map[string]any)
	return m
}

// shipTo reads an address; nil where it says nothing.
func shipTo(s *jsonbody.Fields) (*shipments.ShipTo, []string) {
	to := shipments.ShipTo{
		Name: text(s, "name", 100), Email: text(s, "email", 254), Phone: text(s, "phone", 40),
		Company: text(s, "company", 100), Line1: text(s, "line1", 200), Line2: text(s, "line2", 200),
		City: text(s, "city", 100), State: text(s, "state", 100), PostalCode: text(s, "postal_code", 20),
		Country: strings.ToUpper(text(s, "country", 60)), TaxID: text(s, "tax_id", 50),
	}
	to = address.FoldFields(to)
	if to.Email != "" && !address.IsEmail(to.Email) {
		s.Refuse("email", jsonbody.Malformed, nil, "%s", address.NoEmail)
	}
	if to.Phone != "" && !address.IsPhone(to.Phone) {
		s.Refuse("phone", jsonbody.Malformed, nil, "%s", address.NoPhone)
	}
	if to.Country != "" && !address.IsCountry(to.Country) {
		s.Refuse("country", jsonbody.Unsupported, nil, "We do not know this country; send its ISO 3166-1 code of two letters, such as US or DE.")
	}
	if to == (shipments.ShipTo{}) {
		return nil, s.Unknown()
	}
	return &to, s.Unknown()
}
