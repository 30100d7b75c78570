package edge

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// keyEvents is the reply of GET /v1/key-events.
type keyEvents struct {
	OK         bool       `json:"ok"`
	Events     []keyEvent `json:"events"`
	HasMore    bool       `json:"has_more"`
	NextCursor *string    `json:"next_cursor"`
}

// keyEvent is what the operator's team did to one of the account's keys, and a link
// of the account's own chain: each hash covers the event and the hash before, so that
// whoever wrote one down finds out when anything before it is changed or taken out.
type keyEvent struct {
	N    uint64 `json:"n"` // of the account, from 1
	Prev string `json:"prev"`
	Hash string `json:"hash"`
	// Record is the text that is hashed: a keyRecord as JSON.
	Record string `json:"record"`
	keyRecord
}

// keyRecord is what an event says. Who of the team it was is the operator's own
// business; Entry is the hash of the entry in the operator's record, which can be
// asked for by it.
type keyRecord struct {
	At      time.Time         `json:"at"`
	Action  string            `json:"action"`
	Key     string            `json:"key"`
	Outcome string            `json:"outcome"`
	Before  map[string]string `json:"before,omitempty"`
	After   map[string]string `json:"after,omitempty"`
	Entry   string            `json:"entry"`
}

// follow makes the link after last of an entry of the operator's record.
func follow(last keyEvent, entry audits.Entry) (keyEvent, error) {
	r, err := entry.Read()
	if err != nil {
		return keyEvent{}, err
	}
	next := keyEvent{N: last.N + 1, Prev: last.Hash, keyRecord: keyRecord{r.At, r.Action, r.Key, r.Outcome, r.Before, r.After, entry.Hash}}
	text, err := json.Marshal(next.keyRecord)
	if err != nil {
		return keyEvent{}, fmt.Errorf("encode key event: %w", err)
	}
	next.Record = string(text)
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%s\n%s", next.N, next.Prev, next.Record))
	next.Hash = hex.EncodeToString(sum[:])
	return next, nil
}

// maxKeyEvents bounds a page.
const maxKeyEvents = 100

// keyEvents answers GET /v1/key-events: what was done to the account's keys,
// newest first. They are one chain of both modes, so a test key, which more people
// have, may not read it.
func (e *Edge) keyEvents(c *web.Call) error {
	if contract.IsTest(c.Caller.Account) {
		return problem.New(contract.Forbidden, "What was done to keys is told to live keys alone: it names those too.")
	}
	page, err := readPage(c)
	if err != nil {
		return err
	}
	end := uint64(math.MaxUint64) // exclusive
	if page.Cursor != "" {
		if end, err = strconv.ParseUint(page.Cursor, 10, 64); err != nil || end == 0 {
			return refuseCursor()
		}
	}
	all, err := e.keyChain(c.Context(), c.Caller.Account)
	if err != nil {
		return err
	}
	all = all[:min(uint64(len(all)), end-1)]
	from := max(0, len(all)-page.Limit)
	reply := keyEvents{OK: true, Events: slices.Clone(all[from:]), HasMore: from > 0}
	slices.Reverse(reply.Events)
	if from > 0 {
		next := strconv.FormatUint(all[from].N, 10)
		reply.NextCursor = &next
	}
	return c.JSON(http.StatusOK, reply)
}

// keyChain is what was ever done to an account's keys, oldest first. People do it,
// so it is short.
func (e *Edge) keyChain(ctx context.Context, account string) ([]keyEvent, error) {
	var entries []audits.Entry
	for cursor := ""; ; {
		docs, next, err := e.deps.Docs.List(ctx, audits.DocumentKind, "partner", account, projection.Page{Limit: maxKeyEvents, Cursor: cursor})
		if err != nil {
			return nil, problem.Unavailable(err)
		}
		for _, doc := range docs {
			var entry audits.Entry
			if err := json.Unmarshal(doc.Body, &entry); err != nil {
				return nil, fmt.Errorf("decode audit entry %s: %w", doc.ID, err)
			}
			entries = append(entries, entry)
		}
		if cursor = next; next == "" {
			break
		}
	}
	slices.SortFunc(entries, func(a, b audits.Entry) int { return cmp.Compare(a.N, b.N) })
	chain := make([]keyEvent, 0, len(entries))
	var last keyEvent
	for _, entry := range entries {
		next, err := follow(last, entry)
		if err != nil {
			return nil, err
		}
		chain, last = append(chain, next), next
	}
	return chain, nil
}

func refuseCursor() error {
	f := jsonbody.NewFields(nil)
	f.Refuse("cursor", jsonbody.Malformed, nil, "cursor is not one that this endpoint gave.")
	return problem.Fields(f.Problems())
}

// readPage reads limit and cursor from the address.
func readPage(c *web.Call) (projection.Page, error) {
	page := projection.Page{Limit: projection.DefaultLimit}
	if text, given := c.Query("limit"); given {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxKeyEvents {
			f := jsonbody.NewFields(nil)
			f.Refuse("limit", jsonbody.OutOfRange, map[string]int{"min": 1, "max": maxKeyEvents}, "limit lies between 1 and %d.", maxKeyEvents)
			return page, problem.Fields(f.Problems())
		}
		page.Limit = n
	}
	page.Cursor, _ = c.Query("cursor")
	return page, nil
}
