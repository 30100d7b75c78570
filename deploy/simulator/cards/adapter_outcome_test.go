package cards_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"boardorder/deploy/simulator/fault"
	"boardorder/deploy/simulator/shopper"
	"boardorder/pkg/card"
	"boardorder/pkg/card/stripe"
)

const intents = "POST /v1/payment_intents"

// Whatever happens to the answer, the error says whether money may have been
// taken, and the same key settles it without a second charge.
func TestLostAnswersAreSettledByTheSameKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.Pays)
	for _, tt := range []struct {
		fault   string
		kind    card.Kind
		charged int // right after the failure
	}{
		{fault.LoseReply, card.Unknown, 1},
		{fault.ErrorAfter, card.Unknown, 1},
		{fault.Garbage, card.Unknown, 1},
		{fault.Drop, card.Unknown, 0},
		{fault.ErrorBefore, card.Unknown, 0},
	} {
		before := len(b.sim.Cards().Ledger().Charges)
		r := charge(s, "pay:"+tt.fault)
		b.fail(t, intents, tt.fault)
		res, err := b.ChargeSaved(t.Context(), r)
		if card.KindOf(err) != tt.kind || res.Outcome != card.OutcomeUnknown {
			t.Errorf("%s: %+v, %v; want kind %s", tt.fault, res, err, tt.kind)
		}
		if n := len(b.sim.Cards().Ledger().Charges) - before; n != tt.charged {
			t.Errorf("%s: %d charges, want %d", tt.fault, n, tt.charged)
		}
		res, err = b.ChargeSaved(t.Context(), r)
		if err != nil || res.Outcome != card.Succeeded {
			t.Errorf("%s, asked again: %+v, %v", tt.fault, res, err)
		}
		if n := len(b.sim.Cards().Ledger().Charges) - before; n != 1 {
			t.Errorf("%s: %d charges in the end, want 1", tt.fault, n)
		}
	}
}

func TestSlowAnswerIsUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.Pays)
	hasty, err := stripe.New(stripe.Config{Key: "sk_test_bench", BaseURL: b.sim.CardsURL(), Timeout: 2 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.sim.Faults().Add(fault.Fault{Match: intents, Kind: fault.DelayAfter, DelayMS: 60_000}); err != nil {
		t.Fatal(err)
	}
	res, err := hasty.ChargeSaved(t.Context(), charge(s, "pay:hasty"))
	if card.KindOf(err) != card.Unknown || !card.IsCode(err, card.CodeTimeout) || res.Outcome != card.OutcomeUnknown {
		t.Errorf("slow charge = %+v, %v; want unknown, timeout", res, err)
	}
	all, err := b.Payments(t.Context(), time.Now().Add(-time.Minute))
	if err != nil || len(all) != 2 || all[1].Metadata["quote"] != "q2" || all[1].ReceivedCents != 1234 {
		t.Errorf("the list does not show the slow payment: %+v, %v", all, err)
	}
}

func TestReadsAreNeverUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.Pays)
	for _, kind := range []string{fault.LoseReply, fault.ErrorAfter, fault.Garbage, fault.Drop, fault.ErrorBefore} {
		// Twice, because Go's transport may repeat a read on a fresh connection.
		err := b.sim.Faults().Add(fault.Fault{Match: "GET /v1/checkout/sessions", Kind: kind, Times: 2})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Session(t.Context(), s.ID); card.KindOf(err) != card.Unavailable {
			t.Errorf("%s: Session: %v, want unavailable", kind, err)
		}
		b.sim.Faults().Clear()
	}
}

func TestNobodyThere(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	p, err := stripe.New(stripe.Config{Key: "sk_test_x", BaseURL: "http://" + l.Addr().String(), Trip: 3, Rest: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	r := card.SavedCharge{Cents: 100, Currency: "USD", CustomerID: "cus_1", MethodID: "pm_1", IdempotencyKey: "k"}
	for range 3 {
		if _, err := p.ChargeSaved(t.Context(), r); card.KindOf(err) != card.Unavailable || !card.IsCode(err, card.CodeConnection) {
			t.Errorf("nobody there: %v, want unavailable", err)
		}
	}
	if _, err := p.ChargeSaved(t.Context(), r); !card.IsCode(err, card.CodeBusy) || card.KindOf(err) != card.Unavailable {
		t.Errorf("after three failures: %v, want the breaker", err)
	}
}

// Declined cards and refused requests say nothing about the processor's health.
func TestRefusalsDoNotTrip(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for n := range 20 {
		if _, err := b.Session(t.Context(), "cs_test_nothing"); !card.IsCode(err, card.CodeNotFound) {
			t.Fatalf("call %d: %v", n, err)
		}
	}
}

func TestWrongKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	if _, err := stripe.New(stripe.Config{Key: "sk_live_wrong", BaseURL: b.sim.CardsURL()}); err == nil {
		t.Fatal("a live key went over http")
	}
	p, err := stripe.New(stripe.Config{Key: "rk_live_wrong", BaseURL: "https://localhost"})
	if err != nil || p == nil {
		t.Errorf("a live key over https: %v", err)
	}
	if _, err = stripe.New(stripe.Config{Key: "pk_test_x"}); err == nil {
		t.Error("a publishable key was taken")
	}
	if _, err = stripe.New(stripe.Config{Key: "sk_test_x", BaseURL: "nowhere"}); err == nil {
		t.Error("a base URL without a host was taken")
	}
}

func TestCallerLeaves(t *testing.T) {
	t.Parallel()
	b := setup(t)
	s := b.saveCard(t, shopper.Pays)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := b.ChargeSaved(ctx, charge(s, "pay:gone"))
	if err == nil || !errors.Is(err, context.Canceled) || card.KindOf(err) == card.Refused {
		t.Errorf("a caller that left: %v", err)
	}
}
