package endpoint

import (
	"net/http"
	"strconv"
	"time"

	"boardorder/pkg/contract/webhooks"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Delivery is an attempt as the endpoint's owner sees it.
type Delivery struct {
	EventID string           `json:"event_id"`
	Type    string           `json:"type"`
	Attempt int              `json:"attempt"`
	At      time.Time        `json:"at"`
	TookMS  int64            `json:"took_ms"`
	Outcome webhooks.Outcome `json:"outcome"`
	Request Request          `json:"request"`
	// Response is null where there was none; Problem then says why.
	Response      *Response  `json:"response"`
	Problem       *string    `json:"problem"`
	NextAttemptAt *time.Time `json:"next_attempt_at"`
}

// Request is what was sent, less the signature. The body is the event's.
type Request struct {
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers"`
}

// Response is what the receiver replied.
type Response struct {
	Status int    `json:"status"`
	Body   string `json:"body"`
}

// Deliveries is the reply of GET /v1/webhook-endpoints/{endpoint_id}/deliveries.
type Deliveries struct {
	OK         bool       `json:"ok"`
	Deliveries []Delivery `json:"deliveries"`
	HasMore    bool       `json:"has_more"`
	NextCursor *string    `json:"next_cursor"`
}

const maxDeliveries = 100

// ListDeliveries answers GET /v1/webhook-endpoints/{endpoint_id}/deliveries, newest first.
func (k *Endpoints) ListDeliveries(c *web.Call) error {
	e, err := k.find(c)
	if err != nil {
		return err
	}
	limit, below, err := readPage(c)
	if err != nil {
		return err
	}
	found, err := k.Log.Deliveries(c.Context(), e.ID, below, limit+1)
	if err != nil {
		return problem.Unavailable(err)
	}
	reply := Deliveries{OK: true, Deliveries: []Delivery{}, HasMore: len(found) > limit}
	for _, d := range found[:min(len(found), limit)] {
		reply.Deliveries = append(reply.Deliveries, showDelivery(d))
		if reply.HasMore {
			next := strconv.FormatUint(d.Number, 10)
			reply.NextCursor = &next
		}
	}
	return c.JSONSetApart(http.StatusOK, reply)
}

func showDelivery(d webhooks.Delivery) Delivery {
	out := Delivery{
		EventID: d.Event, Type: d.Type, Attempt: d.Attempt, At: *millis(&d.At), TookMS: d.Millis, Outcome: d.Outcome, NextAttemptAt: millis(d.NextAt),
		Request: Request{URL: d.URL, Headers: HeadersOf(d)},
	}
	if d.Problem != "" {
		out.Problem = &d.Problem
	}
	if d.Status != 0 {
		out.Response = &Response{d.Status, d.Reply}
	}
	return out
}

// HeadersOf are the headers of an attempt, less the signature.
func HeadersOf(d webhooks.Delivery) map[string]string {
	return map[string]string{"content-type": "application/json", "webhook-id": d.Event, "webhook-timestamp": strconv.FormatInt(d.At.Unix(), 10)}
}

func readPage(c *web.Call) (limit int, below uint64, err error) {
	f := jsonbody.NewFields(nil)
	limit = 20
	if text, given := c.Query("limit"); given {
		if limit, err = strconv.Atoi(text); err != nil || limit < 1 || limit > maxDeliveries {
			f.Refuse("limit", jsonbody.OutOfRange, map[string]int{"min": 1, "max": maxDeliveries}, "limit lies between 1 and %d.", maxDeliveries)
		}
	}
	if text, given := c.Query("cursor"); given {
		if below, err = strconv.ParseUint(text, 10, 64); err != nil || below == 0 {
			f.Refuse("cursor", jsonbody.Malformed, nil, "cursor is not one that this endpoint gave.")
		}
	}
	if p := f.Problems(); len(p) > 0 {
		return 0, 0, problem.Fields(p)
	}
	return limit, below, nil
}
