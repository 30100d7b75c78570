package quote

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/customer"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const (
	maxToken   = 200
	maxOrderID = 80
)

// Reorder answers POST /v1/reorders: an earlier order as a new quote, with every
// choice carried forward that is not sent.
func (q *Quotes) Reorder(c *web.Call) error {
	a, err := q.beginReorder(c)
	if err != nil {
		return err
	}
	return q.respond(c, a)
}

func (q *Quotes) beginReorder(c *web.Call) (submission, error) {
	body, err := c.Object()
	if err != nil {
		return submission{}, err
	}
	if itar.DeclaresIn(body) {
		refs, err := q.UploadsOfReorder(c)
		if err != nil {
			return submission{}, err // sent again, it is recorded
		}
		return submission{}, q.designs().RefuseITAR(c, refs...)
	}
	f := jsonbody.NewFields(body)
	o := &order{timeout: c.Wait(usualWait, f)}
	ch := readChanges(q, f)
	if p := f.Problems(); len(p) > 0 {
		return submission{}, problem.Fields(p)
	}
	if o.request, err = q.Keys.Begin(c, q.outcomes(), "POST /v1/reorders", jsonbody.Text(body)); err != nil {
		return submission{}, err
	}
	if o.request.HasEnded() { // also once the token is no longer good
		return replay(o), nil
	}
	e, err := q.earlier(c, ch)
	if err != nil {
		return submission{}, err
	}
	data := quotes.PriceData{Upload: e.Quote.Upload, Digest: e.Digest, From: e.Quote.Ref, Request: ch.applyTo(e), Chosen: e.Choice()}
	if data.Request.Assembly {
		if err := q.Assembled(c); err != nil {
			return submission{}, err
		}
	}
	files := e.Digest
	if ch.upload != "" {
		data.Upload, data.Digest = contract.SecretRef(ch.upload), ""
		up, err := q.awaitUpload(c, o, data.Upload)
		if err != nil {
			return submission{}, err
		}
		files = up.Digest
	}
	o.upload = data.Upload
	if o.body, err = json.Marshal(data); err != nil {
		return submission{}, fmt.Errorf("encode reorder: %w", err)
	}
	o.sum = digest(c.Caller.Account, endpoint, o.body, files)
	return q.submit(c, o)
}

// UploadsOfReorder gives the uploads of the orders that a declaration by a reorder is
// about: those that its text names, by a token that opens them.
func (q *Quotes) UploadsOfReorder(c *web.Call) ([]string, error) {
	text := design.Text(c)
	var refs []string
	for _, token := range tokens.FindAllString(text, maxTokens) {
		who, _, err := q.Customers.OpenHistory(c.Caller.Account, token)
		if err != nil {
			continue
		}
		all, err := q.Customers.Earlier(c.Context(), c.Caller.Account, who)
		if err != nil {
			return nil, err
		}
		for _, e := range all {
			if strings.Contains(text, e.ID) {
				refs = append(refs, e.Quote.Upload)
			}
		}
	}
	return refs, nil
}

// maxTokens bounds how many words of a text are tried as a token.
const maxTokens = 20

// tokens are words that may be a history_token.
var tokens = regexp.MustCompile(`[A-Za-z0-9_.~-]{40,200}`)

// earlier finds the order that a reorder begins from.
func (q *Quotes) earlier(c *web.Call, ch changes) (customer.Earlier, error) {
	var none customer.Earlier
	who, _, err := q.Customers.OpenHistory(c.Caller.Account, ch.token)
	if err != nil {
		return none, err
	}
	all, err := q.Customers.Earlier(c.Context(), c.Caller.Account, who)
	if err != nil {
		return none, err
	}
	for _, e := range all {
		if e.ID == ch.orderID {
			return e, nil
		}
	}
	return none, problem.New(contract.NotFound, "The customer has no order with this order_id.")
}

// changes are what a reorder names: the fields of a quote request that are sent,
// by the same rules, and which of the lists are.
type changes struct {
	token, orderID, upload                string
	quantity                              *int
	assembly, staffPicks, special, usual  *bool
	request                               quotes.Request
	options, supplied, unfitted, replaced bool
	delivery                              bool // an empty one clears it
}

// readChanges reads the form of a reorder. Unlike a quote's, it takes no property
// that it does not know.
func readChanges(q *Quotes, f *jsonbody.Fields) changes {
	ch := changes{token: need(f, "history_token", maxToken), orderID: need(f, "order_id", maxOrderID), upload: text(f, "upload_id", design.MaxUploadID)}
	ch.quantity = f.Int("quantity", 1, maxQuantity)
	ch.assembly, ch.staffPicks = f.Bool("assembly"), f.Bool("staff_picks_parts")
	ch.special, ch.usual = f.Bool("special_requirements"), f.Bool("standard_for_unstated")
	special := ch.special != nil && *ch.special
	r := &ch.request
	r.Layers = f.Int("layers", 1, maxLayers)
	r.ThicknessMM = f.NumberOr("thickness_mm", 0.1, 10, beyondBounds)
	r.CopperOz = f.NumberOr("copper_oz", 0.1, 12, beyondBounds)
	r.InnerCopperOz = f.NumberOr("inner_copper_oz", 0.1, 12, beyondBounds)
	r.SurfaceFinish = choice(f, q.Rules.Catalog, "surface_finish", special)
	r.SolderMask = choice(f, q.Rules.Catalog, "solder_mask", special)
	r.Material = choice(f, q.Rules.Catalog, "material", special)
	r.ViaProcess = choice(f, q.Rules.Catalog, "via_process", special)
	r.FabOptions = fabOptions(f)
	r.SpecialNotes = f.Text("special_notes", maxText, true)
	r.ProjectName = f.Text("project_name", 200, false)
	r.Board = f.Text("board", 255, false)
	r.SkipBoardChecks = f.Flag("skip_board_checks")
	r.FileAnswers = design.Answers(f)
	_ = f.Bool("itar")
	unknown := parts(f, r)
	var more []string
	if s := f.Object("ship_to"); s != nil {
		r.ShipTo, more = shipTo(s)
	}
	ch.options, ch.supplied = f.Raw("fab_options") != nil, f.Raw("customer_supplied_refs") != nil
	ch.delivery = f.Raw("ship_to") != nil
	ch.unfitted, ch.replaced = f.Raw("do_not_fit_refs") != nil, f.Raw("substitutions") != nil
	f.Raw("staff_picks_parts")
	for _, name := range append(f.Unknown(), append(unknown, more...)...) {
		f.Refuse(name, jsonbody.Unknown, nil, "A reorder takes no such property.")
	}
	known := *r
	known.SpecialRequirements = ch.special == nil || special // the earlier order's may hold
	q.Rules.complete(f, known)
	return ch
}

// applyTo gives the earlier request with what was sent in its place.
func (ch changes) applyTo(e customer.Earlier) quotes.Request {
	r := e.Quote.Request
	r.UploadID, r.BuildTimeHours = "", nil // of the build it is known what was chosen
	if to := e.ShipTo; to != (shipments.ShipTo{}) {
		r.ShipTo = &to
	}
	if ch.upload != "" {
		r.Board, r.FileAnswers = nil, nil // of revised files other things may be asked
	}
	with := ch.request
	set(&r.Layers, with.Layers)
	set(&r.ThicknessMM, with.ThicknessMM)
	set(&r.CopperOz, with.CopperOz)
	set(&r.InnerCopperOz, with.InnerCopperOz)
	set(&r.SurfaceFinish, with.SurfaceFinish)
	set(&r.SolderMask, with.SolderMask)
	set(&r.Material, with.Material)
	set(&r.ViaProcess, with.ViaProcess)
	set(&r.SpecialNotes, with.SpecialNotes)
	set(&r.ProjectName, with.ProjectName)
	set(&r.Board, with.Board)
	set(&r.FileAnswers, with.FileAnswers)
	if ch.delivery {
		r.ShipTo = with.ShipTo
	}
	put(&r.Quantity, ch.quantity)
	put(&r.Assembly, ch.assembly)
	put(&r.StaffPicksParts, ch.staffPicks)
	put(&r.SpecialRequirements, ch.special)
	put(&r.StandardForUnstated, ch.usual)
	if ch.usual != nil && !*ch.usual {
		keepStandards(&r, e.Quote.Reply, !ch.options)
	}
	r.SkipBoardChecks = with.SkipBoardChecks
	if ch.options {
		r.FabOptions = with.FabOptions
	}
	if ch.supplied {
		r.CustomerSuppliedRefs = with.CustomerSuppliedRefs
	}
	if ch.unfitted {
		r.DoNotFitRefs = with.DoNotFitRefs
	}
	if ch.replaced {
		r.Substitutions = with.Substitutions
	}
	return r
}

// keepStandards states what the earlier board had by the standard, so that it is
// not asked for again where the standard is no longer accepted.
func keepStandards(r *quotes.Request, was quotes.Reply, options bool) {
	if was.BoardDetails == nil {
		return
	}
	d, standard := *was.BoardDetails, func(option string) bool { return was.BoardDetailsFrom[option] == "standard" }
	keep(&r.ThicknessMM, d.ThicknessMM, standard("thickness_mm"))
	keep(&r.CopperOz, d.CopperOz, standard("copper_oz"))
	if d.InnerCopperOz != nil {
		keep(&r.InnerCopperOz, *d.InnerCopperOz, standard("inner_copper_oz"))
	}
	keep(&r.SurfaceFinish, d.SurfaceFinish, standard("surface_finish"))
	keep(&r.SolderMask, d.SolderMask, standard("solder_mask"))
	keep(&r.Material, d.Material, standard("material"))
	keep(&r.ViaProcess, d.ViaProcess, standard("via_process"))
	if !options {
		return
	}
	r.FabOptions = maps.Clone(r.FabOptions)
	for key, v := range d.FabOptions {
		if _, stated := r.FabOptions[key]; !stated && standard("fab_options."+key) {
			if r.FabOptions == nil {
				r.FabOptions = map[string]any{}
			}
			r.FabOptions[key] = v
		}
	}
}

// keep states a value where none is.
func keep[T comparable](at **T, v T, standard bool) {
	var none T
	if *at == nil && standard && v != none {
		*at = &v
	}
}

// set replaces what is sent.
func set[T any](v **T, sent *T) {
	if sent != nil {
		*v = sent
	}
}

func put[T any](v *T, sent *T) {
	if sent != nil {
		*v = *sent
	}
}
