package confirm_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/payment/internal/confirm"
)

var now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func newConfirmation(change ...func(*contract.Confirmation)) contract.Confirmation {
	c := confirm.Request(contract.SendCodeData{Confirmation: "conf", Purpose: contract.CodeForPayment}, "quote", "acc", confirm.Code{Nonce: "n", Hash: "h"},
		"ada@example.com", &contract.Charge{Version: 1, Cents: 100}, now)
	for _, f := range change {
		f(&c)
	}
	return c
}

func tries(n int) func(*contract.Confirmation) { return func(c *contract.Confirmation) { c.Tries = n } }

func unknown(c *contract.Confirmation) { c.Email, c.Charge = "", nil }

func markVerified(c *contract.Confirmation) { at := now; c.VerifiedAt, c.Key = &at, "key" }

func markUsed(c *contract.Confirmation) { markVerified(c); c.Used = "command" }

// The states of a code, and what each step leads to from each of them.
func TestTransitions(t *testing.T) {
	t.Parallel()
	at := now.Add(time.Minute)
	late := now.Add(contract.CodeLife)
	for name, tt := range map[string]struct {
		from contract.Confirmation
		at   time.Time
		try  contract.Code
		pass contract.Code // the right code, once it was counted
		fail contract.Code // a wrong one
		use  contract.Code // by another command than "command"
	}{
		"never asked for":       {contract.Confirmation{}, at, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired, contract.CodeExpired},
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
		code := func(_ contract.Confirmation, err error) contract.Code {
			if r := contract.RefusalIn(err); r != nil {
				return r.Code
			}
			return ""
		}
		data := contract.VerifyCodeData{Nonce: "n", Hash: "h", Key: "key"}
		wrong := contract.VerifyCodeData{Nonce: "n", Hash: "x", Key: "key"}
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
			"pass": code(confirm.Verify(tt.from, contract.VerifyCodeData{Nonce: "older", Hash: "h"}, tt.at)),
			"use":  code(confirm.Use(tt.from, "older", "command", tt.at)),
		} {
			if got != contract.CodeExpired {
				t.Errorf("%s, %s of an older code: %q", name, step, got)
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
	home := contract.ShipTo{Line1: "1 Main St"}
	for name, tt := range map[string]struct {
		change func(*contract.Quote)
		want   contract.Code
	}{
		"the same":         {func(*contract.Quote) {}, ""},
		"another version":  {func(q *contract.Quote) { q.Version++ }, contract.Conflict},
		"another price":    {func(q *contract.Quote) { *q.Reply.TotalCents++ }, contract.Conflict},
		"another delivery": {func(q *contract.Quote) { q.Delivery.ShipTo.Line1 = "2 Main St" }, contract.Conflict},
		"no delivery":      {func(q *contract.Quote) { q.Delivery = nil }, contract.Conflict},
		"other findings":   {func(q *contract.Quote) { q.Reply.BoardFindings = []contract.Finding{{Level: "warning", Check: "ring"}} }, contract.Conflict},
	} {
		cents := int64(100)
		q := contract.Quote{Version: 1, Delivery: &contract.Delivery{ShipTo: home}, Reply: contract.QuoteReply{TotalCents: &cents}}
		tt.change(&q)
		c := newConfirmation(func(c *contract.Confirmation) { c.Charge.ShipTo = home })
		code := contract.Code("")
		if r := contract.RefusalIn(confirm.Holds(c, q)); r != nil {
			code = r.Code
		}
		if code != tt.want {
			t.Errorf("%s: %q, want %q", name, code, tt.want)
		}
	}
	if err := confirm.Holds(newConfirmation(unknown), contract.Quote{}); err != nil {
		t.Errorf("no charge: %v", err)
	}
}
