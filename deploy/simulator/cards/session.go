package cards

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// A checkout stays open at least this long and at most so long.
const (
	minOpen = 30 * time.Minute
	maxOpen = 24 * time.Hour
)

func (s *Server) createSession(t *tx, _ string, f form) (map[string]any, *apiError) {
	if bad := f.refuseUnknown("mode", "client_reference_id", "metadata", "line_items", "customer", "customer_email",
		"customer_creation", "success_url", "cancel_url", "expires_at", "payment_intent_data", "payment_method_types",
		"saved_payment_method_options", "consent_collection", "custom_text", "locale", "submit_type", "currency",
		"billing_address_collection", "automatic_tax", "ui_mode", "allow_promotion_codes"); bad != nil {
		return nil, bad
	}
	if bad := f.require("mode", "success_url"); bad != nil {
		return nil, bad
	}
	if f.Get("mode") != "payment" {
		return nil, invalid("mode", "Only mode=payment is offered here.")
	}
	v := Session{
		ID: newID("cs_test_"), Created: t.now.Unix(), Status: "open", PaymentStatus: "unpaid",
		Reference: f.Get("client_reference_id"), CustomerEmail: f.Get("customer_email"),
		Customer: f.Get("customer"), NewCustomer: f.Get("customer_creation"),
		SuccessURL: f.Get("success_url"), CancelURL: f.Get("cancel_url"),
		OfferSaving: f.Get("saved_payment_method_options[payment_method_save]") == "enabled",
	}
	for _, fill := range []func(*Session, *tx, form) *apiError{
		s.fillCustomer, fillURLs, checkLocale, fillItems, fillExpiry, fillIntentData,
	} {
		if bad := fill(&v, t, f); bad != nil {
			return nil, bad
		}
	}
	t.Sessions = append(t.Sessions, v)
	return s.viewSession(v), nil
}

func (s *Server) fillCustomer(v *Session, _ *tx, f form) *apiError {
	if len(v.Reference) > 200 {
		return invalid("client_reference_id", "client_reference_id has at most 200 characters.")
	}
	if v.Customer == "" {
		if v.NewCustomer == "" {
			v.NewCustomer = "if_required"
		}
		return nil
	}
	if v.CustomerEmail != "" || v.NewCustomer != "" {
		return invalid("customer", "You may only specify one of these parameters: customer, customer_email, customer_creation.")
	}
	if _, gone := s.customer(v.Customer); gone != nil {
		bad := missing("customer", v.Customer)
		bad.status, bad.param = 400, "customer"
		return bad
	}
	return nil
}

func fillURLs(v *Session, _ *tx, _ form) *apiError {
	for name, u := range map[string]string{"success_url": v.SuccessURL, "cancel_url": v.CancelURL} {
		if u != "" && !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") {
			return invalidCode("url_invalid", name, "Not a valid URL: %s", u)
		}
	}
	return nil
}

// locales are the languages that the processor's own page is in.
var locales = strings.Fields("auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW")

func checkLocale(_ *Session, _ *tx, f form) *apiError {
	if v := f.Get("locale"); v != "" && !slices.Contains(locales, v) {
		return invalid("locale", "Invalid locale: must be one of %s", strings.Join(locales, ", "))
	}
	return nil
}

func fillItems(v *Session, _ *tx, f form) *apiError {
	for n := 0; ; n++ {
		at := fmt.Sprintf("line_items[%d]", n)
		if !f.Has(at+"[price_data][currency]") && !f.Has(at+"[quantity]") {
			break
		}
		item, currency, bad := readItem(f, at)
		if bad != nil {
			return bad
		}
		if v.Currency != "" && currency != v.Currency {
			return invalid(at, "All line items must have the same currency.")
		}
		v.Currency = currency
		v.AmountTotal += item.UnitCents * item.Quantity
		v.Items = append(v.Items, item)
	}
	if len(v.Items) == 0 {
		return invalidCode("parameter_missing", "line_items", "You must provide line_items.")
	}
	if len(v.Items) > 100 {
		return invalid("line_items", "You can provide at most 100 line items.")
	}
	return checkAmount("line_items", v.AmountTotal, v.Currency)
}

func readItem(f form, at string) (Item, string, *apiError) {
	price := at + "[price_data]"
	if bad := f.require(price+"[product_data][name]", price+"[unit_amount]", at+"[quantity]"); bad != nil {
		return Item{}, "", bad
	}
	currency, bad := f.currency(price + "[currency]")
	if bad != nil {
		return Item{}, "", bad
	}
	cents, _, bad := f.integer(price + "[unit_amount]")
	if bad != nil {
		return Item{}, "", bad
	}
	quantity, _, bad := f.integer(at + "[quantity]")
	if bad != nil {
		return Item{}, "", bad
	}
	if cents < 0 || cents > maxCents {
		return Item{}, "", invalid(price+"[unit_amount]", "Invalid non-negative integer.")
	}
	if quantity < 1 || quantity > 999_999 {
		return Item{}, "", invalid(at+"[quantity]", "Quantity must be between 1 and 999999.")
	}
	return Item{
		ID: newID("li_"), Name: f.Get(price + "[product_data][name]"),
		Description: f.Get(price + "[product_data][description]"), UnitCents: cents, Quantity: quantity,
	}, currency, nil
}

func fillExpiry(v *Session, t *tx, f form) *apiError {
	at, ok, bad := f.integer("expires_at")
	if bad != nil {
		return bad
	}
	if !ok {
		v.ExpiresAt = t.now.Add(maxOpen).Unix()
		return nil
	}
	v.ExpiresAt = at
	open := time.Duration(at-v.Created) * time.Second
	if open < minOpen || open > maxOpen {
		return invalid("expires_at", "The `expires_at` timestamp must be at least 30 minutes and at most 24 hours from Checkout Session creation.")
	}
	return nil
}

func fillIntentData(v *Session, _ *tx, f form) *apiError {
	var bad *apiError
	if v.Metadata, bad = f.metadata("metadata"); bad != nil {
		return bad
	}
	v.IntentData = IntentData{
		Description:      f.Get("payment_intent_data[description]"),
		ReceiptEmail:     f.Get("payment_intent_data[receipt_email]"),
		SetupFutureUsage: f.Get("payment_intent_data[setup_future_usage]"),
	}
	if u := v.IntentData.SetupFutureUsage; u != "" && u != "off_session" && u != "on_session" {
		return invalid("payment_intent_data[setup_future_usage]", "Invalid setup_future_usage: must be one of off_session, on_session.")
	}
	v.IntentData.Metadata, bad = f.metadata("payment_intent_data[metadata]")
	return bad
}

func (s *Server) getSession(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.sessions.byID[id]
	if !ok {
		return nil, missing("checkout.session", id)
	}
	return s.viewSession(v), nil
}

func (s *Server) updateSession(t *tx, id string, f form) (map[string]any, *apiError) {
	v, ok := s.state.sessions.byID[id]
	if !ok {
		return nil, missing("checkout.session", id)
	}
	if bad := f.refuseUnknown("metadata"); bad != nil {
		return nil, bad
	}
	added, bad := f.metadata("metadata")
	if bad != nil {
		return nil, bad
	}
	v.Metadata = merge(v.Metadata, added)
	t.Sessions = append(t.Sessions, v)
	return s.viewSession(v), nil
}

// merge adds names, and removes those that are given as nothing.
func merge(old, added map[string]string) map[string]string {
	out := map[string]string{}
	for name, value := range old {
		out[name] = value
	}
	for name, value := range added {
		if value == "" {
			delete(out, name)
		} else {
			out[name] = value
		}
	}
	return out
}

func (s *Server) expireSession(t *tx, id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.sessions.byID[id]
	if !ok {
		return nil, missing("checkout.session", id)
	}
	if v.Status != "open" {
		return nil, invalid("", "Only Checkout Sessions with a status in [\"open\"] can be expired. This Checkout Session has a status of \"%s\".", v.Status)
	}
	return s.viewSession(t.expire(v)), nil
}

// expire closes an open session for good, with the payment begun in it.
func (t *tx) expire(v Session) Session {
	v.Status = "expired"
	t.Sessions = append(t.Sessions, v)
	if pi, ok := t.s.state.intents.byID[v.Intent]; ok && cancelable(pi.Status) {
		t.cancel(pi, "expired")
	}
	t.event("checkout.session.expired", t.s.viewSession(v))
	return v
}

func (s *Server) listSessions(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.sessions, f, map[string]func(Session) string{
		"payment_intent": func(v Session) string { return v.Intent },
		"customer":       func(v Session) string { return v.Customer },
		"status":         func(v Session) string { return v.Status },
	}, s.viewSession)
	return paginate("/v1/checkout/sessions", docs, f)
}

func (s *Server) listItems(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.sessions.byID[id]
	if !ok {
		return nil, missing("checkout.session", id)
	}
	return s.items(v), nil
}

func (s *Server) items(v Session) map[string]any {
	docs := make([]map[string]any, 0, len(v.Items))
	for _, item := range v.Items {
		docs = append(docs, viewItem(item, v.Currency))
	}
	return map[string]any{
		"object": "list", "url": "/v1/checkout/sessions/" + v.ID + "/line_items", "has_more": false, "data": docs,
	}
}
