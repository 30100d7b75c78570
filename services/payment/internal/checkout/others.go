package checkout

import (
	"slices"
	"strconv"

	"boardorder/pkg/contract/checkouts"
)

// maxOthers is how many pages of other browsers stay open beside the newest. Of more, the newest
// gives way: whoever was there first keeps theirs.
const maxOthers = 3

// Pages are the attempts of a checkout that may still be paid on a page: the one in front first.
func Pages(c checkouts.Checkout) []checkouts.Checkout {
	if !Pending(c) {
		return c.Others
	}
	return append([]checkouts.Checkout{single(c)}, c.Others...)
}

// single is the attempt in front, without the others.
func single(c checkouts.Checkout) checkouts.Checkout {
	c.Others, c.Refunds, c.Declines, c.Attempts = nil, nil, nil, 0
	return c
}

// PageOf is the open page of a browser among the others.
func PageOf(c checkouts.Checkout, browser string) (page checkouts.Checkout, ok bool) {
	i := slices.IndexFunc(c.Others, func(o checkouts.Checkout) bool { return o.Browser == browser })
	if i < 0 {
		return page, false
	}
	return c.Others[i], true
}

// PageOfSession is the attempt of a session at the processor, or the one with a number.
func PageOfSession(c checkouts.Checkout, session, attempt string) (page checkouts.Checkout, ok bool) {
	for _, p := range append([]checkouts.Checkout{single(c)}, c.Others...) {
		if p.SessionID != "" && p.SessionID == session || strconv.Itoa(p.Attempt) == attempt {
			return p, true
		}
	}
	return page, false
}

// attempts is how many attempts there were.
func attempts(c checkouts.Checkout) int { return max(c.Attempt, c.Attempts) }

// Promote puts one of the other attempts in front; the one that was there goes to the others
// if it is open. Of an attempt that is not among them nothing changes.
func Promote(c checkouts.Checkout, attempt int) checkouts.Checkout {
	i := slices.IndexFunc(c.Others, func(o checkouts.Checkout) bool { return o.Attempt == attempt })
	if i < 0 {
		return c
	}
	front := c.Others[i]
	front.Others = slices.Delete(slices.Clone(c.Others), i, i+1)
	if c.Status == checkouts.Open {
		front.Others = append(front.Others, single(c))
	}
	front.Refunds, front.Declines, front.Withdrawn = c.Refunds, c.Declines, c.Withdrawn
	if n := attempts(c); n != front.Attempt {
		front.Attempts = n
	}
	return front
}

// CloseAttempt is the checkout once an attempt cannot be paid any more; ok is false where
// it could not be before.
func CloseAttempt(c checkouts.Checkout, attempt int) (next checkouts.Checkout, ok bool) {
	if Pending(c) && c.Attempt == attempt {
		return MarkClosed(c), true
	}
	others := slices.DeleteFunc(slices.Clone(c.Others), func(o checkouts.Checkout) bool { return o.Attempt == attempt })
	ok = len(others) < len(c.Others)
	c.Others = others
	return c, ok
}
