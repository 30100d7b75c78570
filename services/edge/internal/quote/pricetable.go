package quote

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/orderfile"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"github.com/tidwall/gjson"
)

const tableEndpoint = "POST /v1/price-tables"

func (q *Quotes) tableKind() kind {
	return kind{
		name: pricetables.Price, requests: q.Tables,
		outcomes: outcome.Outcomes{Docs: q.Docs, Made: func(request string) (contract.Aggregate, string) { return contract.PriceTableAggregate, request }},
		members:  func(request string) string { return fmt.Sprintf(`"table":%q`, request) },
		outdated: func(out *outcome.Outcome) bool {
			return !q.Now().Before(gjson.GetBytes(out.Doc.Body, "expires_at").Time())
		},
	}
}

// CreateTable answers POST /v1/price-tables.
func (q *Quotes) CreateTable(c *web.Call) error {
	a, err := q.beginTable(c)
	if err != nil {
		return err
	}
	defer a.waiter.Leave()
	a.mark(c)
	a.await(c, q.tableKind().outcomes)
	return q.answerTable(c, a.out, a.request, http.StatusCreated)
}

func (q *Quotes) beginTable(c *web.Call) (submission, error) {
	body, err := c.Object()
	if err != nil {
		return submission{}, err
	}
	if itar.DeclaresIn(body) {
		return submission{}, q.designs().RefuseITAR(c)
	}
	f := jsonbody.NewFields(body)
	o := &order{timeout: c.Wait(usualWait, f), asked: body}
	data := validateTable(f, q.Rules)
	if p := f.Problems(); len(p) > 0 {
		return submission{}, problem.Fields(p)
	}
	if o.request, err = q.Keys.Begin(c, q.tableKind().outcomes, tableEndpoint, jsonbody.Text(body)); err != nil {
		return submission{}, err
	}
	return q.sendTable(c, data, o)
}

// sendTable submits a request for a table once its files are unpacked.
func (q *Quotes) sendTable(c *web.Call, data pricetables.PriceData, o *order) (submission, error) {
	if o.request.HasEnded() {
		return replay(o), nil
	}
	o.upload = contract.SecretRef(data.Request.UploadID)
	up, err := q.awaitUpload(c, o, o.upload)
	if err != nil {
		return submission{}, err
	}
	fields, source, err := q.fill(c, up.OrderFile, o.asked, o.upload, func(name string) bool {
		return name == "quantity" || name == "build_time_hours" // a table is for several of each
	})
	if err != nil {
		return submission{}, err
	}
	if source != nil {
		data = validateTable(fields, q.Rules)
		if p := fields.Problems(); len(p) > 0 {
			return submission{}, orderfile.Name(problem.Fields(p), source)
		}
		data.Request.OrderFile = source
	}
	if err := q.CountTable(c, data.Quotes(), data.Request.Assembly); err != nil {
		return submission{}, err
	}
	data.Upload, data.Request.UploadID = o.upload, ""
	if o.body, err = json.Marshal(data); err != nil {
		return submission{}, fmt.Errorf("encode price table: %w", err)
	}
	o.sum = digest(c.Caller.Account, tableEndpoint, o.body, up.Digest)
	return q.submitKind(c, o, q.tableKind())
}

// validateTable reads the body of a table: that of a quote, with quantities and destinations
// in place of one of each.
func validateTable(f *jsonbody.Fields, rules Rules) (d pricetables.PriceData) {
	requireUpload(f, &d.Request)
	d.Quantities = quantities(f)
	unknown := readBoard(f, rules, &d.Request)
	var addresses []*jsonbody.Fields
	if _, isOne := f.Raw("ship_to").(map[string]any); isOne {
		addresses = append(addresses, f.Object("ship_to"))
	} else {
		addresses = f.Objects("ship_to", pricetables.MaxDestinations)
	}
	for i, s := range addresses {
		to, more := shipTo(s)
		if unknown = append(unknown, more...); to == nil {
			f.Refuse("ship_to."+strconv.Itoa(i), jsonbody.Missing, nil, "A destination has a country at least.")
			continue
		}
		// What a price follows from: nothing else of an address is needed, or kept.
		d.Destinations = append(d.Destinations, shipments.ShipTo{Country: to.Country, State: to.State, PostalCode: to.PostalCode, TaxID: to.TaxID})
	}
	rules.complete(f, d.Request)
	d.Unknown = append(f.Unknown(), unknown...)
	return d
}

// quantities reads how many boards a table is for: ascending, none twice.
func quantities(f *jsonbody.Fields) []int {
	const name = "quantities"
	list, _ := f.Raw(name).([]any)
	allowed := map[string]int{"min": 1, "max": maxQuantity, "max_items": pricetables.MaxQuantities}
	out := make([]int, 0, len(list))
	for _, v := range list {
		number, _ := v.(json.Number)
		n, err := strconv.Atoi(number.String())
		if err != nil || n < 1 || n > maxQuantity || len(out) > 0 && n <= out[len(out)-1] {
			break
		}
		out = append(out, n)
	}
	if len(list) == 0 || len(list) > pricetables.MaxQuantities || len(out) < len(list) {
		f.Refuse(name, jsonbody.Malformed, allowed, "quantities lists 1 to %d whole numbers of boards between 1 and %d, ascending.", pricetables.MaxQuantities, maxQuantity)
		return nil
	}
	return out
}

// ShowTable answers GET /v1/price-tables/{price_table_id}, whether the table is priced yet or not.
func (q *Quotes) ShowTable(c *web.Call) error {
	f := jsonbody.NewFields(nil)
	timeout := c.Wait(0, f)
	if p := f.Problems(); len(p) > 0 {
		return problem.Fields(p)
	}
	request, err := requestOf(c, "price_table_id", unknownTable)
	if err != nil {
		return err
	}
	w := q.Waiters.Join(wait.Request(request))
	defer w.Leave()
	outcomes := q.tableKind().outcomes
	out, err := outcomes.Find(c.Context(), request)
	if err != nil {
		return err
	}
	if out == nil {
		sent, found, err := q.Tables.readClaim(c.Context(), request)
		if err != nil {
			return problem.Unavailable(err)
		}
		if !found || sent.Account != c.Caller.Account {
			return unknownTable()
		}
		if out, err = outcomes.Await(c.Context(), w, request, timeout); err != nil {
			return err
		}
	}
	if out != nil && (out.Account != c.Caller.Account || out.Refusal == nil && out.Aggregate != contract.PriceTableAggregate) {
		return unknownTable()
	}
	return q.answerTable(c, out, request, http.StatusOK)
}

func unknownTable() error {
	return problem.New(contract.NotFound, "There is no price table with this price_table_id. Tables are kept for a day.")
}

// answerTable replies with what came of a request for a table; nil is nothing yet.
func (q *Quotes) answerTable(c *web.Call, out *outcome.Outcome, request string, status int) error {
	switch {
	case out == nil:
		return q.pending(c, request, q.PublicURL+"/v1/price-tables/"+request)
	case out.Refusal != nil:
		return q.refuse(c.Context(), request, out.Refusal)
	}
	if err := q.refuseDeclared(c.Context(), gjson.GetBytes(out.Doc.Body, "upload").Str); err != nil {
		return err
	}
	reply := gjson.GetBytes(out.Doc.Body, "reply").Raw
	return c.Bytes(status, "application/json", append(web.Words.SetApartExcept([]byte(reply), "board"), '\n'))
}

// A TableOutcome is what came of a request for a table that one of our pages made. Without a
// table and a refusal it is being priced.
type TableOutcome struct {
	Table   *pricetables.PriceTable
	Refusal *contract.Refusal
	Joined  bool // the same request was made before
}

// AskTable requests a table as POST /v1/price-tables does with that body, for the caller, and
// waits for it so long.
func (q *Quotes) AskTable(c *web.Call, body map[string]any, timeout time.Duration) (TableOutcome, error) {
	f := jsonbody.NewFields(body)
	data := validateTable(f, q.Rules)
	if p := f.Problems(); len(p) > 0 {
		return TableOutcome{}, problem.Fields(p)
	}
	a, err := q.sendTable(c, data, &order{timeout: timeout, asked: body})
	if err != nil {
		return TableOutcome{}, err
	}
	defer a.waiter.Leave()
	a.mark(c)
	a.await(c, q.tableKind().outcomes)
	made := TableOutcome{Joined: a.joined}
	switch {
	case a.out == nil:
		return made, nil
	case a.out.Refusal != nil:
		made.Refusal = &problem.Find(q.refuse(c.Context(), a.request, a.out.Refusal)).Refusal
		return made, nil
	}
	table, err := outcome.Decode[pricetables.PriceTable](a.out.Doc)
	made.Table = &table
	return made, err
}
