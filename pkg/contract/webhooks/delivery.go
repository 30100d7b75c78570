package webhooks

import (
	"fmt"
	"time"

	"boardorder/pkg/contract"
)

// The log of attempts: so many of each endpoint, and none older.
const (
	DeliveryStream    = "WEBHOOK_DELIVERIES"
	DeliverySubjects  = "webhook.*.*"
	DeliveryRetention = 30 * contract.Day
	DeliveriesKept    = 1000
)

// DeliverySubject is where the attempt of an endpoint with a number is written down, in place of the
// one that is DeliveriesKept older.
func DeliverySubject(endpoint string, number uint64) string {
	return fmt.Sprintf("webhook.%s.%d", endpoint, number%DeliveriesKept)
}

// DeliveriesSubject matches all attempts of an endpoint.
func DeliveriesSubject(endpoint string) string { return "webhook." + endpoint + ".*" }

// An Outcome says how an attempt ended.
type Outcome string

// How attempts end.
const (
	Delivered Outcome = "delivered"
	Failed    Outcome = "failed" // there is another attempt, of an endpoint that was given up once it is enabled again
	GivenUp   Outcome = "given_up"
)

// Delivery is an attempt to send an event, and what came of it.
type Delivery struct {
	Number  uint64     `json:"number"` // counts the endpoint's attempts, with gaps
	Event   string     `json:"event"`
	Type    string     `json:"type"`
	Object  string     `json:"object,omitempty"` // what the event is about, by the name that its account knows; "" in old entries
	Attempt int        `json:"attempt"`          // of the event, from 1
	At      time.Time  `json:"at"`
	Millis  int64      `json:"ms"`
	URL     string     `json:"url"`
	Outcome Outcome    `json:"outcome"`
	Status  int        `json:"status,omitempty"`  // 0: there was no reply
	Problem string     `json:"problem,omitempty"` // why there was none
	Reply   string     `json:"reply,omitempty"`   // its first 4 kB
	NextAt  *time.Time `json:"next_at,omitempty"` // when it is attempted again
}
