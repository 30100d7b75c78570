package web

import (
	"context"
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
)

// A side is which mode a list shows: live, unless test is asked for.
type side struct{ Test bool }

func sideOf(r *http.Request) side {
	return side{r.URL.Query().Get("mode") == contract.TestMode}
}

// Mode is the side as addresses name it.
func (s side) Mode() string {
	if s.Test {
		return contract.TestMode
	}
	return ""
}

// has reports whether an owner's things are of this side.
func (s side) has(owner string) bool { return contract.IsTest(owner) == s.Test }

// key is what documents of the side and a status are listed by. Without a status
// live has no key, and what is test has to be left out of the list.
func (s side) key(status string) (key, value string) {
	switch {
	case status != "":
		return "status", contract.ListWord(accounts.APIKey{Live: !s.Test}.Owner(""), status)
	case s.Test:
		return contract.ModeKey, contract.TestMode
	}
	return "", ""
}

// listOf reads a page of a side's states of a status, newest first. A page is full
// also where some are not of the side.
func listOf[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, of side, status string, p projection.Page, owner func(*S) string) (out []*S, next string, err error) {
	key, value := of.key(status)
	most := p.Limit
	for range reads {
		p.Limit = most - len(out)
		found, next, err := list[S](ctx, docs, a, key, value, p)
		if err != nil {
			return nil, "", err
		}
		for _, one := range found {
			if of.has(owner(one)) {
				out = append(out, one)
			}
		}
		if p.Cursor = next; next == "" || len(out) == most {
			break
		}
	}
	return out, p.Cursor, nil
}
