package reconciliation

import (
	"maps"
	"sync"
	"time"

	"boardorder/services/payment/internal/checkout"
)

// found is what comparing found. Each replica compares in turn, so what one found is
// looked up again when metrics are asked for: by then another may have settled it.
type found struct {
	mu       sync.Mutex
	receipts map[string]checkout.Receipt // by intent
	at       time.Time                   // of the last comparison here; zero = none yet
}

const (
	// maxMissing bounds the charges that are looked at when metrics are asked for.
	maxMissing = 1000
	// metricsTimeout bounds one look: whoever asks for metrics does not wait longer.
	metricsTimeout = 5 * time.Second
)

// note keeps a charge that led to nothing in time.
func (f *found) note(r checkout.Receipt) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.receipts == nil {
		f.receipts = map[string]checkout.Receipt{}
	}
	if len(f.receipts) < maxMissing {
		f.receipts[r.Intent] = r
	}
}

func (f *found) noteComparison(at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.at = at
}

func (f *found) forget(intent string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.receipts, intent)
}

// snapshot gives what was found, and when; zero if nothing was compared yet.
func (f *found) snapshot() (time.Time, map[string]checkout.Receipt) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at, maps.Clone(f.receipts)
}
