package states

import (
	"context"
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/projection"
)

// A ModeFilter is which mode a list shows: live, unless test is asked for.
type ModeFilter struct{ Test bool }

// ReadMode reads which mode a page is asked for.
func ReadMode(r *http.Request) ModeFilter {
	return ModeFilter{r.URL.Query().Get("mode") == contract.TestMode}
}

// Mode is the mode as addresses name it.
func (s ModeFilter) Mode() string {
	if s.Test {
		return contract.TestMode
	}
	return ""
}

// Has reports whether an owner's things are of this mode.
func (s ModeFilter) Has(owner string) bool { return contract.IsTest(owner) == s.Test }

// Word is a value by which documents of the mode are listed.
func (s ModeFilter) Word(value string) string {
	return contract.ListWord(accounts.APIKey{Live: !s.Test}.Owner(""), value)
}

// Key is what documents of the mode and a status are listed by. Without a status
// live has no key, and what is test has to be left out of the list.
func (s ModeFilter) Key(status string) (key, value string) {
	switch {
	case status != "":
		return "status", s.Word(status)
	case s.Test:
		return contract.ModeKey, contract.TestMode
	}
	return "", ""
}

// ListMode reads a page of a mode's states of a status, newest first. A page is full
// also where some are of the other mode.
func ListMode[S any](ctx context.Context, docs projection.Store, a contract.Aggregate, of ModeFilter, status string, p projection.Page, owner func(*S) string) (out []*S, next string, err error) {
	key, value := of.Key(status)
	most := p.Limit
	for range MaxReads {
		p.Limit = most - len(out)
		found, next, err := List[S](ctx, docs, a, key, value, p)
		if err != nil {
			return nil, "", err
		}
		for _, one := range found {
			if of.Has(owner(one)) {
				out = append(out, one)
			}
		}
		if p.Cursor = next; next == "" || len(out) == most {
			break
		}
	}
	return out, p.Cursor, nil
}

// MaxReads bounds how many pages one list looks through for what it shall show.
const MaxReads = 10
