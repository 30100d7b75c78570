package told

import (
	"fmt"
	"slices"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

// Bounds of one page: how many events are read, of which the filter may leave few.
const perPage = 200

type view struct {
	page.Frame
	Account *accounts.Account
	Test    bool
	Type    feed.Type
	Object  string
	Types   []feed.Type
	Rows    []row
	Read    int
	Older   uint64 // sequence that the next page ends before; 0 = there is none
}

type row struct {
	feed.Entry
	Name, To string // of the object, and its page
}

// Show shows an account's last public events, newest first, by type and object.
func (s *Section) Show(c *page.Call) error {
	a, err := states.Get[accounts.Account](c.R.Context(), s.Docs, contract.AccountAggregate, c.R.PathValue("id"))
	if err != nil {
		return err
	}
	if a == nil {
		return page.Missing("account")
	}
	query := c.R.URL.Query()
	v := view{Frame: c.Frame("accounts", "Public events"), Account: a, Test: query.Get("mode") == "test", Types: feed.Types(), Object: query.Get("object")}
	if t := feed.Type(query.Get("type")); slices.Contains(v.Types, t) {
		v.Type = t
	}
	before, _ := strconv.ParseUint(query.Get("before"), 10, 64)
	owner := a.ID
	if v.Test {
		owner = contract.TestOwner(a.ID)
	}
	keys, known := keysOf(v.Object)
	if v.Object != "" && !known {
		return c.Show(templates, "told", v)
	}
	found, err := s.Events.PublicBefore(c.R.Context(), owner, keys, before, perPage)
	if err != nil {
		return fmt.Errorf("read public events of %s: %w", owner, err)
	}
	if v.Read = len(found); v.Read == perPage {
		v.Older = found[0].Seq
	}
	for _, e := range slices.Backward(found) {
		if v.Type != "" && e.Type != v.Type {
			continue
		}
		r, shown, err := s.rowOf(c, e)
		if err != nil {
			return err
		}
		if shown {
			v.Rows = append(v.Rows, r)
		}
	}
	return c.Show(templates, "told", v)
}

// told are the kinds of things that events are about.
var told = []contract.Aggregate{
	contract.QuoteAggregate, contract.OrderAggregate, contract.FormalAggregate, contract.DesignCheckAggregate, contract.PartCheckAggregate, contract.UploadAggregate,
}

// keysOf are the objects that an id may name; known is false of what is no id.
func keysOf(id string) (keys []string, known bool) {
	if !contract.ValidToken(id) {
		return nil, false
	}
	for _, a := range told {
		keys = append(keys, feed.KeyOf(a, id))
	}
	return keys, true
}

// rowOf says what an event is about. Of a formal order that is not shown nothing is.
func (s *Section) rowOf(c *page.Call, e feed.Entry) (r row, shown bool, err error) {
	r = row{Entry: e, Name: string(e.Data.Object)}
	switch {
	case e.Data.Object == feed.OrderObject && e.Quote != nil:
		r.Name, r.To = e.Data.OrderRef, "/orders/"+e.Quote.Ref
	case e.Quote != nil:
		r.Name, r.To = e.Quote.Ref, "/quotes/"+e.Quote.Ref
	case e.Data.Object == feed.FormalOrderObject:
		orders, _, err := states.List[formal.Order](c.R.Context(), s.Docs, contract.FormalAggregate, "order_id", e.Data.OrderID, projection.Page{Limit: 1})
		if err != nil || len(orders) == 0 || !c.MayOpen(orders[0]) {
			return r, false, err
		}
		r.Name, r.To = e.Data.OrderRef, "/central/"+orders[0].Key
	case e.Data.Object == feed.UploadObject:
		r.Name, r.To = e.Data.UploadDigest, history(contract.UploadAggregate, e.Data.UploadDigest)
	case e.Data.Object == feed.DesignCheckObject:
		r.Name, r.To = e.Data.CheckID, history(contract.DesignCheckAggregate, e.Data.CheckID)
	case e.Data.Object == feed.PartCheckObject:
		r.Name, r.To = e.Data.CheckID, history(contract.PartCheckAggregate, e.Data.CheckID)
	case e.Data.Object == feed.KeyObject:
		r.Name, r.To = e.Data.KeyID, "/accounts/"+contract.AccountOf(e.Owner)
	case e.Data.RequestID != "": // there is no quote
		r.Name, r.To = e.Data.RequestID, ""
	}
	return r, true, nil
}

// history is the page of an aggregate's stored events.
func history(a contract.Aggregate, id string) string { return "/events/" + string(a) + "/" + id }
