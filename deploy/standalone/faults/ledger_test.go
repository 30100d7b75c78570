package faults_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

// A ledger is what the customers know: what they asked for and what they were told.
type ledger struct {
	mu       sync.Mutex
	accepted map[string]string // request id -> the body's name
	quotes   map[string]string // the body's name -> quote id
	refused  map[string]int    // error code -> how often
	paid     map[string]bool   // quote ref -> the card page said "paid"
	uploads  []string
	wrong    []string // broken promises

	calls, repeats, lost, joined, declined int
}

func newLedger() *ledger {
	return &ledger{accepted: map[string]string{}, quotes: map[string]string{}, refused: map[string]int{}, paid: map[string]bool{}}
}

func (l *ledger) do(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

func (l *ledger) blame(format string, args ...any) {
	l.do(func() { l.wrong = append(l.wrong, fmt.Sprintf(format, args...)) })
}

// took notes that a request was accepted.
func (l *ledger) took(request, body string) {
	if request == "" {
		l.blame("%s was accepted without a request id", body)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if before, ok := l.accepted[request]; ok && before != body {
		l.wrong = append(l.wrong, fmt.Sprintf("request %s stands for %s and for %s", request, before, body))
	}
	l.accepted[request] = body
}

// noteQuote notes a quote. The same body has one, however often it is asked for.
func (l *ledger) noteQuote(body, quote string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if before, ok := l.quotes[body]; ok && before != quote {
		l.wrong = append(l.wrong, fmt.Sprintf("%s has the quotes %.12s… and %.12s…", body, before, quote))
		return
	}
	l.quotes[body] = quote
}

// pickQuote is the id of a quote.
func (l *ledger) pickQuote() (id string) {
	l.do(func() {
		for _, id = range l.quotes {
			return
		}
	})
	return id
}

func (l *ledger) requests() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Sorted(maps.Keys(l.accepted))
}

// failures counts the answers that were no answer, or a 5xx.
func (l *ledger) failures() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.lost
	for _, times := range l.refused {
		n += times
	}
	return n
}

// kinds says how often which failure came.
func (l *ledger) kinds() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprintf("no answer %d, %v", l.lost, l.refused)
}
