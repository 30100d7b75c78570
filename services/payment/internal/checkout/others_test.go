package checkout_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/checkouts"
	"boardorder/services/payment/internal/checkout"
)

// checkoutBeside is an open attempt of browser a, the fourth, beside those of other browsers: the first
// to the third.
func checkoutBeside(browsers ...string) *checkouts.Checkout {
	c := attempt(checkouts.Open, 2, time.Hour)
	c.Attempt, c.Browser, c.SessionID = 4, "a", "cs_4"
	for i, b := range browsers {
		other := *attempt(checkouts.Open, 1, time.Hour)
		other.Attempt, other.Browser, other.SessionID, other.TotalCents = i+1, b, "cs_"+strconv.Itoa(i+1), 100*int64(i+1)
		c.Others = append(c.Others, other)
	}
	return c
}

// names says which attempt is in front, and which are beside it.
func names(c checkouts.Checkout) string {
	words := []string{string(c.Status) + " " + strconv.Itoa(c.Attempt) + c.Browser}
	for _, o := range c.Others {
		words = append(words, strconv.Itoa(o.Attempt)+o.Browser)
	}
	return strings.Join(words, " ")
}

// TestPagesOfOtherBrowsersStayOpen: a new attempt leaves them beside it; what is closed or paid
// is the attempt that it was, whichever is in front.
func TestPagesOfOtherBrowsersStayOpen(t *testing.T) {
	t.Parallel()
	begun := func() checkouts.Checkout {
		c, err := checkout.Begin(checkout.View{Quote: quote(), Checkout: checkoutBeside("b"), Request: checkouts.BeginData{Version: 2, Browser: "c"}, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	closed := func(c checkouts.Checkout, n int) checkouts.Checkout {
		next, _ := checkout.CloseAttempt(c, n)
		return next
	}
	paid := func(c checkouts.Checkout, r checkout.Receipt) checkouts.Checkout { return checkout.MarkPaid(c, r, now) }
	for name, tt := range map[string]struct {
		got  checkouts.Checkout
		want string
	}{
		"begun beside two":            {begun(), "starting 5c 1b 4a"},
		"recalled":                    {checkout.Promote(*checkoutBeside("b", "c"), 1), "open 1b 2c 4a"},
		"recalled, not there":         {checkout.Promote(*checkoutBeside("b"), 9), "open 4a 1b"},
		"the one in front closed":     {closed(*checkoutBeside("b", "c"), 4), "open 2c 1b"},
		"another closed":              {closed(*checkoutBeside("b", "c"), 1), "open 4a 2c"},
		"the last closed":             {closed(closed(*checkoutBeside("b"), 1), 4), "closed 4a"},
		"the one in front paid":       {paid(*checkoutBeside("b"), checkout.Receipt{Quote: "ref", Session: "cs_4"}), "paid 4a"},
		"another paid":                {paid(*checkoutBeside("b"), checkout.Receipt{Quote: "ref", Session: "cs_1"}), "paid 1b"},
		"another paid, by its number": {paid(*checkoutBeside("b"), checkout.Receipt{Quote: "ref", Intent: "pi_1", Attempt: "1"}), "paid 1b"},
		"an unknown one paid":         {paid(*checkoutBeside("b"), checkout.Receipt{Quote: "ref", Session: "cs_0", Attempt: "0"}), "paid 4a"},
	} {
		if got := names(tt.got); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
	if got := paid(*checkoutBeside("b"), checkout.Receipt{Quote: "ref", Session: "cs_1"}).TotalCents; got != 100 {
		t.Errorf("paid on the page of 100 cents: an order of %d", got)
	}
	next, err := checkout.Begin(checkout.View{Quote: quote(), Checkout: new(checkout.Promote(*checkoutBeside("b"), 1)), Request: checkouts.BeginData{Version: 2, Browser: "c"}, Now: now})
	if err != nil || next.Attempt != 5 {
		t.Errorf("after the first was recalled: attempt %d, %v; want the fifth, whose key nobody used", next.Attempt, err)
	}
}
