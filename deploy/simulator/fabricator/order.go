package fabricator

import (
	"encoding/json"
	"fmt"
	"regexp"
	"time"
)

// An Order is one order of boards, as it came.
type Order struct {
	ID      string          `json:"id"`
	Batch   string          `json:"batch"`  // the customer's reference
	Number  string          `json:"number"` // what people here call it
	FileKey string          `json:"file_key"`
	Board   json.RawMessage `json:"board"`
	Qty     int             `json:"qty"`
	Hours   int             `json:"hours"`
	Confirm bool            `json:"confirm,omitempty"` // its production file waits for a confirmation
	Address address         `json:"address"`
	Way     string          `json:"shipping"`
	WayName string          `json:"shipping_name"`
	Boards  int64           `json:"boards_cents"`
	Freight int64           `json:"freight_cents"`
	At      time.Time       `json:"at"`

	Cancelled *Cancel `json:"cancelled,omitempty"`
}

type address struct {
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
	Company   string `json:"companyName,omitempty"`
	Street    string `json:"streetAddress"`
	Line2     string `json:"addressLine2,omitempty"`
	City      string `json:"city"`
	Country   string `json:"country"`
	Province  string `json:"province"`
	Postal    string `json:"postalCode"`
	Phone     string `json:"cellOrMobileNumber"`
}

type createRequest struct {
	priceRequest
	Batch     string          `json:"batchNum"`
	Address   address         `json:"shippingAddress"`
	TaxNumber string          `json:"taxOrVATNumber"`
	Billing   json.RawMessage `json:"billingAddressFlag"`
	Way       string          `json:"shippingMethod"`
	RawBoard  json.RawMessage `json:"-"`
}

var batchForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// create records an order. The same batch may come again: like the real one,
// this makes a second order in it.
func (s *Server) create(c *call) (any, error) {
	var r createRequest
	var raw struct {
		Board json.RawMessage `json:"pcbParam"`
	}
	if err := c.decode(&r); err != nil {
		return nil, err
	}
	if err := c.decode(&raw); err != nil {
		return nil, err
	}
	r.RawBoard = raw.Board
	o, err := s.orderOf(r)
	if err != nil {
		return nil, err
	}
	if err := s.write(entry{Order: o}); err != nil {
		return nil, err
	}
	return map[string]any{"orderId": o.ID, "orderType": 1, "orderDate": o.At.Format(time.RFC3339), "batchNum": o.Batch}, nil
}

func (s *Server) orderOf(r createRequest) (*Order, error) {
	if err := s.checkOrder(r.priceRequest, true); err != nil {
		return nil, err
	}
	if r.Batch != "" && !batchForm.MatchString(r.Batch) {
		return nil, refuse(2005)
	}
	if len(r.Billing) == 0 {
		return nil, refuse(2118)
	}
	if err := r.Address.check(r.TaxNumber); err != nil {
		return nil, err
	}
	cost, err := r.Board.cost(r.Hours)
	if err != nil {
		return nil, err
	}
	w, err := wayByID(r.Address.Country, r.Way, r.Board.grams())
	if err != nil {
		return nil, err
	}
	id := newID("")
	o := &Order{
		ID: id, Batch: r.Batch, Number: "Y" + id[:8], FileKey: r.FileKey, Board: r.RawBoard, Qty: r.Board.Qty, Hours: r.Hours,
		Confirm: r.Board.has("CPF"), Address: r.Address, Way: w.id, WayName: w.name, Boards: cost.total, Freight: w.cents, At: s.cfg.Now().UTC(),
	}
	if o.Batch == "" {
		o.Batch = "W" + newID("")[:16]
	}
	return o, nil
}

func (a address) check(tax string) error {
	fields := []struct {
		value string
		max   int
		need  bool
		code  int
	}{
		{a.FirstName, 64, true, 2401}, {a.LastName, 64, true, 2402}, {a.Company, 128, false, 2403}, {a.Street, 200, true, 2404},
		{a.Line2, 200, false, 2405}, {a.City, 64, true, 2406}, {a.Province, 64, true, 2407}, {a.Postal, 20, true, 2408},
		{a.Phone, 32, true, 2409}, {a.Country, 2, true, 2410}, {tax, 32, a.Country == "BR", 2399},
	}
	for _, f := range fields {
		if n := len([]rune(f.value)); n > f.max || (f.need && n == 0) {
			if f.code == 2399 && n == 0 {
				return refuse(2400)
			}
			return refuse(f.code)
		}
	}
	return nil
}

// The states of an order, by the wire's numbers.
const (
	cancelled = iota
	reviewing
	confirming
	confirmed
	producing
	shipped
)

var stateNames = []string{"cancelled", "pending review", "awaiting confirmation", "confirmed", "in the factory", "shipped"}

// steps are the stages of production.
var steps = []string{"Engineering data", "Drilling", "Copper plating", "Pattern transfer", "Etching", "Solder mask", "Surface finish", "Electrical test", "Packing"}

// state follows from the time that has passed.
func (o *Order) state(now time.Time, pace time.Duration) int {
	if o.Cancelled != nil {
		return cancelled
	}
	age := now.Sub(o.At)
	switch {
	case age < pace:
		return reviewing
	case o.Confirm && age < 2*pace:
		return confirming
	case now.Before(o.factoryAt(pace)):
		return confirmed
	case now.Before(o.shipmentTime(pace)):
		return producing
	}
	return shipped
}

func (o *Order) factoryAt(pace time.Duration) time.Time {
	wait := 2 * pace
	if o.Confirm {
		wait = 3 * pace
	}
	return o.At.Add(wait)
}

func (o *Order) shipmentTime(pace time.Duration) time.Time {
	return o.factoryAt(pace).Add(time.Duration(len(steps)) * pace / 2)
}

// progress lists the steps that have begun.
func (o *Order) progress(now time.Time, pace time.Duration) []map[string]any {
	out := []map[string]any{}
	if o.Cancelled != nil {
		return out
	}
	for i, name := range steps {
		at := o.factoryAt(pace).Add(time.Duration(i) * pace / 2)
		if at.After(now) {
			break
		}
		out = append(out, map[string]any{"technicsProcessName": name, "beginTime": stamp(at)})
	}
	return out
}

// tracking is the parcel's number, once there is a parcel.
func (o *Order) tracking() string {
	digits := 0
	for _, c := range o.ID {
		digits = (digits*31 + int(c)) % 1_000_000_000
	}
	return fmt.Sprintf("SIM%010d", digits)
}

// stamp writes a time as the fabricator does: its own, without a zone.
func stamp(t time.Time) string { return t.In(time.FixedZone("", 8*60*60)).Format(time.DateTime) }
