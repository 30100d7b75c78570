package confirm_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
	"boardorder/services/payment/internal/confirm"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func newConfirmation(change ...func(*confirmations.Confirmation)) confirmations.Confirmation {
	c := confirm.Request(confirmations.SendCodeData{Confirmation: "conf", Purpose: confirmations.ForPayment}, "quote", "acc", confirm.Code{Nonce: "n", Hash: "h"},
		confirm.Recipient{Email: "ada@example.com", Language: "ja", Charge: &confirmations.Charge{Version: 1, Cents: 100}}, now)
	for _, f := range change {
		f(&c)
	}
	return c
}

func tries(n int) func(*confirmations.Confirmation) {
	return func(c *confirmations.Confirmation) { c.Tries = n }
}

func unknown(c *confirmations.Confirmation) { c.Email, c.Charge = "", nil }

func markVerified(c *confirmations.Confirmation) { at := now; c.VerifiedAt, c.Key = &at, "key" }

func markUsed(c *confirmations.Confirmation) { markVerified(c); c.Used = "command" }

// The states of a code, and what each step leads to from each of them.
func TestTransitions(t *testing.T) {
	t.Parallel()
	at := now.Add(time.Minute)
	late := now.Add(confirmations.CodeTTL)
	for name, tt := range map[string]struct {
		from confirmations.Confirmation
		at   time.Time
		try  contract.Code
		pass contract.Code // the right code, once it was counted
		fail contract.Code // a wrong one
		use  contract.Code // by another command than "command"
	}{
		"never asked for":       {confirmations.Confirmation{}, at, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired},
		"sent":                  {newConfirmation(), at, "", "", contract.CodeIncorrect, contract.CodeExpired},
		"one try left":          {newConfirmation(tries(4)), at, "", "", contract.CodeIncorrect, contract.CodeExpired},
		"the last try":          {newConfirmation(tries(5)), at, contract.CodeLocked, "", contract.CodeLocked, contract.CodeExpired},
		"too old":               {newConfirmation(), late, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired},
		"no customer":           {newConfirmation(unknown), at, "", contract.CodeIncorrect, contract.CodeIncorrect, contract.CodeExpired},
		"no customer, last try": {newConfirmation(unknown, tries(5)), at, contract.CodeLocked, contract.CodeLocked, contract.CodeLocked, contract.CodeExpired},
		"verified":              {newConfirmation(markVerified), at, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired, ""},
		"verified, late":        {newConfirmation(markVerified), late, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired},
		"used":                  {newConfirmation(markUsed), at, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired},
	} {
		code := func(_ confirmations.Confirmation, err error) contract.Code {
			if r := contract.RefusalIn(err); r != nil {
				return r.Code
			}
			return ""
		}
		data := confirmations.VerifyCodeData{Nonce: "n", Hash: "h", Key: "key"}
		wrong := confirmations.VerifyCodeData{Nonce: "n", Hash: "x", Key: "key"}
		for step, got := range map[string][2]contract.Code{
			"try":  {code(confirm.Try(tt.from, "n", tt.at)), tt.try},
			"pass": {code(confirm.Verify(tt.from, data, tt.at)), tt.pass},
			"fail": {code(confirm.Verify(tt.from, wrong, tt.at)), tt.fail},
			"use":  {code(confirm.Use(tt.from, "n", "other", tt.at)), tt.use},
		} {
			if got[0] != got[1] {
				t.Errorf("%s, %s: %q, want %q", name, step, got[0], got[1])
			}
		}
		for step, got := range map[string]contract.Code{ // of a code that was replaced
			"try":  code(confirm.Try(tt.from, "older", tt.at)),
			"pass": code(confirm.Verify(tt.from, confirmations.VerifyCodeData{Nonce: "older", Hash: "h"}, tt.at)),
			"use":  code(confirm.Use(tt.from, "older", "command", tt.at)),
		} {
			if got != contract.CodeExpired {
				t.Errorf("%s, %s of an older code: %q, want %q", name, step, got, contract.CodeExpired)
			}
		}
	}
	if _, err := confirm.Use(newConfirmation(markUsed), "n", "command", late.Add(time.Hour)); err != nil {
		t.Errorf("the command that used it comes again: %v", err)
	}
}

// A code confirms what was mailed with it, and nothing else.
func TestHolds(t *testing.T) {
	t.Parallel()
	home := shipments.ShipTo{Line1: "1 Main St"}
	for name, tt := range map[string]struct {
		change func(*quotes.Quote)
		want   contract.Code
	}{
		"the same":         {func(*quotes.Quote) {}, ""},
		"another version":  {func(q *quotes.Quote) { q.Version++ }, contract.Conflict},
		"another price":    {func(q *quotes.Quote) { *q.Reply.TotalCents++ }, contract.Conflict},
		"another delivery": {func(q *quotes.Quote) { q.Delivery.ShipTo.Line1 = "2 Main St" }, contract.Conflict},
		"no delivery":      {func(q *quotes.Quote) { q.Delivery = nil }, contract.Conflict},
		"other findings":   {func(q *quotes.Quote) { q.Reply.BoardFindings = []contract.Finding{{Level: "warning", Check: "ring"}} }, contract.Conflict},
	} {
		cents := int64(100)
		q := quotes.Quote{Version: 1, Delivery: &shipments.Delivery{ShipTo: home}, Reply: quotes.Reply{TotalCents: &cents}}
		tt.change(&q)
		c := newConfirmation(func(c *confirmations.Confirmation) { c.Charge.ShipTo = home })
		code := contract.Code("")
		if r := contract.RefusalIn(confirm.Holds(c, q)); r != nil {
			code = r.Code
		}
		if code != tt.want {
			t.Errorf("%s: %q, want %q", name, code, tt.want)
		}
	}
	if err := confirm.Holds(newConfirmation(unknown), quotes.Quote{}); err != nil {
		t.Errorf("no charge: %v", err)
	}
}
