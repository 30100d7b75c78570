package edge

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/contract"
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

// keyEvent is what the operator's team did to one of the account's keys. Who of
// the team it was is the operator's own business; the hash is that of the entry in
// the operator's record, which can be asked for by it.
type keyEvent struct {
	N       uint64            `json:"n"`
	At      time.Time         `json:"at"`
	Action  string            `json:"action"`
	Key     string            `json:"key"`
	Outcome string            `json:"outcome"`
	Before  map[string]string `json:"before,omitempty"`
	After   map[string]string `json:"after,omitempty"`
	Hash    string            `json:"hash"`
}

// mostKeyEvents bounds a page.
const mostKeyEvents = 100

// keyEvents answers GET /v1/key-events: what was done to the account's keys,
// newest first.
func (e *Edge) keyEvents(c *web.Call) error {
	page, err := readPage(c)
	if err != nil {
		return err
	}
	docs, next, err := e.deps.Docs.List(c.Context(), contract.AuditDocumentKind, "partner", contract.AccountOf(c.Caller.Account), page)
	if errors.Is(err, projection.ErrCursor) {
		return refusedCursor()
	}
	if err != nil {
		return err
	}
	reply := keyEvents{OK: true, Events: make([]keyEvent, 0, len(docs)), HasMore: next != ""}
	if next != "" {
		reply.NextCursor = &next
	}
	for _, doc := range docs {
		var entry contract.AuditEntry
		if err := json.Unmarshal(doc.Body, &entry); err != nil {
			return fmt.Errorf("decode audit entry %s: %w", doc.ID, err)
		}
		r, err := entry.Read()
		if err != nil {
			return err
		}
		reply.Events = append(reply.Events, keyEvent{entry.N, r.At, r.Action, r.Key, r.Outcome, r.Before, r.After, entry.Hash})
	}
	return c.JSON(http.StatusOK, reply)
}

func refusedCursor() error {
	f := jsonbody.Of(nil)
	f.Refuse("cursor", jsonbody.Malformed, nil, "cursor is not one that this endpoint gave.")
	return problem.Fields(f.Problems())
}

// readPage reads limit and cursor from the address.
func readPage(c *web.Call) (projection.Page, error) {
	page := projection.Page{Limit: projection.DefaultLimit}
	if text, given := c.Query("limit"); given {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > mostKeyEvents {
			f := jsonbody.Of(nil)
			f.Refuse("limit", jsonbody.OutOfRange, map[string]int{"min": 1, "max": mostKeyEvents}, "limit lies between 1 and %d.", mostKeyEvents)
			return page, problem.Fields(f.Problems())
		}
		page.Limit = n
	}
	page.Cursor, _ = c.Query("cursor")
	return page, nil
}
