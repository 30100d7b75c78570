// Package shopper pays at the card processor's hosted page without a browser:
// it posts the page's own form, and the bank's when the bank asks.
package shopper

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Test card numbers for the usual cases.
const (
	Pays              = "4242424242424242"
	Declined          = "4000000000000002"
	InsufficientFunds = "4000000000009995"
	BankAsksOnce      = "4000002500003155" // until it is saved
	BankAlwaysAsks    = "4000002760003184"
	SavedIsDeclined   = "4000000000000341" // pays at the page, is declined when charged later
	SavedHasNoFunds   = "4000008260003178"
)

// A Card is what the shopper types. Only Number has to be given.
type Card struct {
	Number       string
	Expiry       string // 12/34
	CVC          string // 123
	Email        string
	Name         string
	Save         bool // the box that saves the card is ticked, where there is one
	RefuseAtBank bool // the shopper refuses at the bank
	LeaveAtBank  bool // the shopper leaves when the bank asks
}

// A Result is how the attempt ended.
type Result struct {
	Status      string `json:"status"`   // paid, declined, challenge (left there), processing, expired
	Redirect    string `json:"redirect"` // where the browser would go
	Code        string `json:"code"`
	DeclineCode string `json:"decline_code"`
	Message     string `json:"message"`
}

// Pay types the card into the page at pageURL and submits it.
func Pay(ctx context.Context, pageURL string, c Card) (Result, error) {
	form := url.Values{
		"number": {cmp.Or(c.Number, Pays)}, "expiry": {cmp.Or(c.Expiry, "12/34")}, "cvc": {cmp.Or(c.CVC, "123")},
		"email": {c.Email}, "name": {c.Name},
	}
	if c.Save {
		form.Set("save", "1")
	}
	r, err := post(ctx, pageURL, form)
	if err != nil || r.Status != "challenge" || c.LeaveAtBank {
		return r, err
	}
	action := "complete"
	if c.RefuseAtBank {
		action = "fail"
	}
	return post(ctx, r.Redirect, url.Values{"action": {action}})
}

func post(ctx context.Context, to string, form url.Values) (Result, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, to, strings.NewReader(form.Encode()))
	if err != nil {
		return Result{}, fmt.Errorf("pay: %w", err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return Result{}, fmt.Errorf("pay: %w", err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return Result{}, fmt.Errorf("pay: %w", err)
	}
	var r Result
	if err := json.Unmarshal(body, &r); err != nil || r.Status == "" {
		return Result{}, fmt.Errorf("pay at %s: status %d: %s", to, res.StatusCode, body)
	}
	return r, nil
}
