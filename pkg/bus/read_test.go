package bus_test

import (
	"errors"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"

	"github.com/nats-io/nats.go/jetstream"
)

// What the broker answers a load is read as its own client library reads it.
func TestStoredIn(t *testing.T) {
	t.Parallel()
	m, err := bus.StoredIn([]byte(`{"type":"io.nats.jetstream.api.v1.stream_msg_get_response","message":{"subject":"evt.quote.3.q","seq":7,` +
		`"hdrs":"TkFUUy8xLjANCmNlLWlkOiBlMQ0KY2UtdGltZTogeA0KDQo=","data":"eyJzdGF0ZSI6e319","time":"2026-11-22T01:02:03.000000004Z"}}`))
	if err != nil || m.Subject != "evt.quote.3.q" || m.Sequence != 7 || m.Header.Get("ce-id") != "e1" || string(m.Data) != `{"state":{}}` ||
		!m.Time.Equal(time.Date(2026, 11, 22, 1, 2, 3, 4, time.UTC)) {
		t.Errorf("read %+v, %v", m, err)
	}
	for name, tt := range map[string]struct {
		answer string
		want   error
	}{
		"none":           {`{"error":{"code":404,"err_code":10037,"description":"no message found"}}`, aggregate.ErrNone},
		"no leader":      {`{"error":{"code":503,"err_code":10008,"description":"not available"}}`, &jetstream.APIError{ErrorCode: 10008}},
		"nothing":        {`{}`, jetstream.ErrInvalidJetStreamResponse},
		"no JSON":        {`+OK`, jetstream.ErrInvalidJetStreamResponse},
		"empty":          {``, jetstream.ErrInvalidJetStreamResponse},
		"cut off":        {`{"message":{"subject":"evt.quote.3.q","seq":7,"data":"eyJzd`, jetstream.ErrInvalidJetStreamResponse},
		"no base64":      {`{"message":{"subject":"evt.quote.3.q","seq":7,"data":"?","time":"2026-11-22T01:02:03Z"}}`, nil},
		"broken headers": {`{"message":{"subject":"evt.quote.3.q","seq":7,"hdrs":"AAAA","time":"2026-11-22T01:02:03Z"}}`, nil},
	} {
		m, err := bus.StoredIn([]byte(tt.answer))
		if err == nil || m != nil || tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %+v, %v; want %v", name, m, err, tt.want)
		}
	}
}
