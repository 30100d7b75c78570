package local

import "boardorder/pkg/bus"

// ShortWaits are settings for tests that end processes: they make short what a
// company outside that does not answer costs. What concerns the broker is
// production's.
func ShortWaits() map[string]string {
	return map[string]string{
		"ACK_WAIT": bus.DefaultAckWait.String(), "DEMO_REQUESTS_PER_MINUTE": "1000000000", "STREAM_MAX_BYTES": "4294967296",
		"READING_WAIT": "5s", "SHUTDOWN_GRACE": "5s",
		"PAYMENT_SETTLE_FIRST": "2s", "PAYMENT_SETTLE_MOST": "5s", "PAYMENT_RECONCILE": "4s",
		"PAYMENT_RETRY_FIRST": "300ms", "PAYMENT_RETRY_MOST": "2s",
		"ORDER_PLACE_SETTLE": "5s", "ORDER_POLL_FIRST": "500ms", "ORDER_POLL_MOST": "2s",
	}
}
