package cards

// A result is how an attempt to take money ended.
type result int

const (
	taken      result = iota // the money is here
	pending                  // the bank will say later
	challenged               // the bank wants to see its customer first
	notTaken                 // the bank said no
)

// verdict is the bank's answer for this card. present: the customer is at the
// page; seen: the customer has passed the bank's challenge for this payment.
func verdict(m Method, present, seen bool) (result, *Decline) {
	c := testCards[m.Test]
	switch {
	case c.decline != nil:
		return notTaken, c.decline
	case !present && c.offSession != nil:
		return notTaken, c.offSession
	case wantsCustomer(c.auth, m, present) && !seen:
		if present {
			return challenged, nil
		}
		return notTaken, &Decline{
			Code: "authentication_required", DeclineCode: "authentication_required",
			Message: "Your card was declined. This transaction requires authentication.",
		}
	case c.afterAuth != nil:
		return notTaken, c.afterAuth
	default:
		return taken, nil
	}
}

func wantsCustomer(rule authRule, m Method, present bool) bool {
	switch rule {
	case authAlways:
		return true
	case authUnlessSet:
		return !m.SetUp
	case authOneTime:
		return present
	default:
		return false
	}
}

// attempt tries to take the intent's money with the card and stages whatever
// comes of it. The caller has set the intent's customer.
func (t *tx) attempt(pi Intent, m Method, present, seen bool) (Intent, result) {
	pi.Method = m.ID
	how, decline := verdict(m, present, seen)
	if how == taken && t.s.cfg.Faults.Take("", "processing") {
		how = pending
	}
	switch how {
	case challenged:
		pi.Status, pi.LastError = "requires_action", nil
		t.event("payment_intent.requires_action", t.s.viewIntent(pi))
	case notTaken:
		pi = t.decline(pi, m, decline)
	case pending:
		pi.Status, pi.LastError = "processing", nil
		ch := t.newCharge(pi, m)
		ch.Pending = true
		pi.LatestCharge = ch.ID
		t.Charges = append(t.Charges, ch)
		t.event("payment_intent.processing", t.s.viewIntent(pi))
	case taken:
		ch := t.newCharge(pi, m)
		pi = t.succeed(pi, ch)
		m = t.save(pi, m)
	}
	t.Methods = append(t.Methods, m)
	t.Intents = append(t.Intents, pi)
	return pi, how
}

func (t *tx) newCharge(pi Intent, m Method) Charge {
	return Charge{
		ID: newID("ch_"), Created: t.now.Unix(), Intent: pi.ID, Customer: pi.Customer, Method: m.ID, Card: m,
		Amount: pi.Amount, Currency: pi.Currency, Metadata: pi.Metadata,
	}
}

// succeed stages the charge and returns the intent as paid; the caller stages
// the intent.
func (t *tx) succeed(pi Intent, ch Charge) Intent {
	ch.Paid, ch.Pending = true, false
	pi.Status, pi.Received, pi.LatestCharge, pi.LastError = "succeeded", pi.Amount, ch.ID, nil
	t.Charges = append(t.Charges, ch)
	t.event("charge.succeeded", viewCharge(ch))
	t.event("payment_intent.succeeded", t.s.viewIntent(pi))
	return pi
}

func (t *tx) decline(pi Intent, m Method, why *Decline) Intent {
	ch := t.newCharge(pi, m)
	ch.Failure = why
	pi.Status, pi.Method, pi.LatestCharge, pi.LastError = "requires_payment_method", "", ch.ID, why
	t.Charges = append(t.Charges, ch)
	t.event("charge.failed", viewCharge(ch))
	t.event("payment_intent.payment_failed", t.s.viewIntent(pi))
	return pi
}

// save gives the card to the intent's customer when that was asked for.
func (t *tx) save(pi Intent, m Method) Method {
	if pi.SetupFutureUsage == "" || pi.Customer == "" {
		return m
	}
	m.Customer = pi.Customer
	m.SetUp = m.SetUp || pi.SetupFutureUsage == "off_session"
	return m
}

// resolve ends a payment that the bank was still thinking about.
func (t *tx) resolve(pi Intent, ok bool) Intent {
	ch := t.s.state.charges.byID[pi.LatestCharge]
	if ok {
		pi = t.succeed(pi, ch)
	} else {
		why := declineOf("generic_decline")
		ch.Pending, ch.Failure = false, why
		pi.Status, pi.Method, pi.LastError = "requires_payment_method", "", why
		t.Charges = append(t.Charges, ch)
		t.event("charge.failed", viewCharge(ch))
		t.event("payment_intent.payment_failed", t.s.viewIntent(pi))
	}
	t.Intents = append(t.Intents, pi)
	return pi
}
