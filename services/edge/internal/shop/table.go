package shop

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/web"
)

const (
	// tableField asks for prices of several quantities.
	tableField = "table"
	// buildField names a faster build, in hours, to be chosen at the checkout.
	buildField = "build_hours"
	// maxTableTime is how long all prices of the table are waited for together.
	maxTableTime = 8 * time.Second
)

// tableOf are the quantities that the table has beside the chosen one.
var tableOf = []int{5, 10, 25, 50, 100}

// tableView is what several quantities cost, by how fast they are built.
type tableView struct {
	Builds []string
	Rows   []tableRow
}

type tableRow struct {
	Count  string // of boards
	Boards string // the same in words
	Chosen bool
	Cells  []tableCell
	Words  string // why there are no prices
}

// tableCell is a price that one press takes to the checkout.
type tableCell struct{ Price, URL, Build string }

// tableFor prices several quantities of a board as it was chosen, as POST /v1/price-tables does.
// Whoever asks for the same shares the table, which counts as a quote for each quantity.
func (s *Shop) tableFor(c *web.Call, id string, f choices) (*tableView, error) {
	chosen, _ := strconv.Atoi(f.get("quantity"))
	quantities := slices.Clone(tableOf)
	if chosen > 0 && chosen <= quotes.MaxBoards {
		quantities = append(quantities, chosen)
	}
	slices.Sort(quantities)
	quantities = slices.Compact(quantities)
	body := s.chooseHome(c, f).body(id)
	delete(body, "quantity")
	list := make([]any, len(quantities))
	for i, n := range quantities {
		list[i] = json.Number(strconv.Itoa(n))
		if err := s.take(c, limit.ShopQuotes, s.Network(c)); err != nil {
			return nil, err
		}
	}
	body["quantities"] = list
	made, err := s.Quotes.AskTable(c, body, maxTableTime)
	if err != nil || made.Joined {
		c.Refund()
	}
	if err != nil {
		return nil, err
	}
	var cells []pricetables.Cell
	if made.Table != nil {
		cells = made.Table.Reply.Cells
	}
	return tableOfCells(s.voice(c), s.self(id), f, quantities, cells, chosen), nil
}

// chooseQuantity is the same choice of another number of boards.
func (f choices) chooseQuantity(n int) choices {
	out := choices(maps.Clone(url.Values(f)))
	out["quantity"] = []string{strconv.Itoa(n)}
	delete(out, tableField)
	return out
}

// tableOfCells lays cells out by quantity and build, the slowest build first.
func tableOfCells(p voice, at string, f choices, quantities []int, cells []pricetables.Cell, chosen int) *tableView {
	var hours []int // of builds that are faster than the standard one
	for _, c := range cells {
		if !c.Standard && !slices.Contains(hours, *c.BuildTimeHours) {
			hours = append(hours, *c.BuildTimeHours)
		}
	}
	slices.Sort(hours)
	slices.Reverse(hours)
	v := &tableView{Builds: []string{p.Text("Standard build")}}
	for _, h := range hours {
		v.Builds = append(v.Builds, checkout.BuildTime(p.Printer, h))
	}
	for _, n := range quantities {
		row := tableRow{Count: p.Number(float64(n)), Boards: p.Boards(n), Chosen: n == chosen}
		of := slices.DeleteFunc(slices.Clone(cells), func(c pricetables.Cell) bool { return c.Quantity != n })
		switch {
		case len(of) == 0 || of[0].Status == pricetables.Unavailable:
			row.Words = p.Text("No price yet: please look again in a moment.")
		case of[0].Status == pricetables.Review:
			row.Words = p.Text("Our team prices this number.")
		default:
			row.Cells = rowOf(p, at, f.chooseQuantity(n), of, hours)
		}
		v.Rows = append(v.Rows, row)
	}
	return v
}

// rowOf are the prices of one quantity: of the standard build, then of the faster ones.
func rowOf(p voice, at string, f choices, cells []pricetables.Cell, hours []int) []tableCell {
	row := make([]tableCell, 1+len(hours))
	for _, c := range cells {
		query := url.Values(maps.Clone(url.Values(f)))
		query.Set(goField, "checkout")
		i, name := 0, p.Text("standard build")
		if !c.Standard {
			i, name = 1+slices.Index(hours, *c.BuildTimeHours), p.Text("built in %s", checkout.BuildTime(p.Printer, *c.BuildTimeHours))
			query.Set(buildField, strconv.Itoa(*c.BuildTimeHours))
		}
		row[i] = tableCell{p.Amount(*c.TotalCents, "USD"), at + "?" + query.Encode(), name}
	}
	return row
}
