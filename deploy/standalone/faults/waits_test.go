package faults_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go/jetstream"
)

// A span is the time of a scenario, until the system had recovered from it.
type span struct {
	scenario
	from, to time.Time
}

// How long a request may wait for its outcome, from the storing of the one to the
// storing of the other.
const (
	maxOrderly = 5 * time.Second  // while brokers are restarted in an orderly way
	maxKilled  = 12 * time.Second // while one is killed
)

// A waited request had its outcome after a time.
type waited struct {
	request string
	stored  time.Time
	took    time.Duration
}

// checkWaits compares when requests and their outcomes were stored. Only the long
// form, which is a measurement on a quiet machine, fails by what it finds.
func (r *rig) checkWaits(ctx context.Context, h *history) {
	outcomes := h.outcomes()
	claims, err := r.claims(ctx)
	if err != nil {
		r.t.Fatalf("read the requests: %v", err)
	}
	r.checkClaims(claims, outcomes)
	var all []waited
	for _, m := range claims {
		request := requestOfClaim(m)
		if end, ok := outcomes[request]; ok {
			all = append(all, waited{request, m.Time, end.StoredAt.Sub(m.Time)})
		}
	}
	for _, s := range r.spans {
		var during []waited
		for _, w := range all {
			if !w.stored.Before(s.from) && w.stored.Before(s.to) {
				during = append(during, w)
			}
		}
		if len(during) == 0 {
			continue
		}
		slices.SortFunc(during, func(a, b waited) int { return int(a.took - b.took) })
		worst := during[len(during)-1]
		line := fmt.Sprintf("%s: %d requests, half had their outcome within %s, 99 of 100 within %s, all within %s (%s)", s.name, len(during),
			during[len(during)/2].took.Round(time.Millisecond), during[len(during)*99/100].took.Round(time.Millisecond), worst.took.Round(time.Millisecond), worst.request)
		if s.limit > 0 && worst.took > s.limit && *longForm {
			r.t.Errorf("%s; want %s at most", line, s.limit)
		} else {
			r.t.Log(line)
		}
	}
	r.spans = nil
}

// outcomes gives the events that requests ended with, by request.
func (h *history) outcomes() map[string]contract.Event {
	out := map[string]contract.Event{}
	for _, e := range h.events {
		switch {
		case e.Aggregate == contract.OperationAggregate:
			out[e.AggregateID] = e
		case e.Operation != "":
			out[e.Operation] = e
		}
	}
	return out
}

// claims gives the requests that are stored, in order within a subject.
func (r *rig) claims(ctx context.Context) (all []*jetstream.RawStreamMsg, err error) {
	names := r.js.StreamNames(ctx, jetstream.WithStreamListSubject("req.>"))
	for name := range names.Name() {
		stream, err := r.js.Stream(ctx, name)
		if err != nil {
			return nil, err
		}
		state := stream.CachedInfo().State
		for seq := state.FirstSeq; seq <= state.LastSeq; seq++ {
			m, err := stream.GetMsg(ctx, seq)
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				continue
			}
			if err != nil {
				return nil, fmt.Errorf("%s at %d: %w", name, seq, err)
			}
			all = append(all, m)
		}
	}
	return all, names.Err()
}

func requestOfClaim(m *jetstream.RawStreamMsg) string { return m.Header.Get("ce-operation") }

// checkClaims finds claims that took a place which was not theirs, and bodies that
// were claimed again though the claim before was granted.
func (r *rig) checkClaims(claims []*jetstream.RawStreamMsg, outcomes map[string]contract.Event) {
	last := map[string]*jetstream.RawStreamMsg{}
	for _, m := range claims {
		before, expected := last[m.Subject], m.Header.Get(jetstream.ExpectedLastSubjSeqHeader)
		last[m.Subject] = m
		if want := sequenceOf(before); expected != want {
			r.t.Errorf("claim %d of %s took the place of %s, want %s\n%s", m.Sequence, m.Subject, expected, want, describeClaim(m, outcomes))
		}
		if before != nil && isGranted(outcomes[requestOfClaim(before)]) {
			r.t.Errorf("%s was claimed again though it had been granted:\n%s\n%s", m.Subject, describeClaim(before, outcomes), describeClaim(m, outcomes))
		}
	}
}

func isGranted(outcome contract.Event) bool {
	op, ok, err := contract.OutcomeOf(outcome)
	return err == nil && ok && op.Refusal == nil
}

func sequenceOf(m *jetstream.RawStreamMsg) string {
	if m == nil {
		return "0"
	}
	return strconv.FormatUint(m.Sequence, 10)
}

func describeClaim(m *jetstream.RawStreamMsg, outcomes map[string]contract.Event) string {
	outcome := outcomes[requestOfClaim(m)]
	return fmt.Sprintf("\t%d stored %s, outcome %s %s of %s, stored %s, header %v, data %s",
		m.Sequence, m.Time, outcome.Subject(), outcome.Type(), outcome.At, outcome.StoredAt, m.Header, m.Data)
}

// violation is what a broker says in its log, and what it tells the program, when a
// user does what it may not.
var violation = regexp.MustCompile(`(?i)(permissions|publish|subscription|authorization) violation`)

// checkLogs finds users of the broker who did what they may not.
func (r *rig) checkLogs() {
	logs, err := filepath.Glob(filepath.Join(r.dir, "logs", "*.log"))
	if err != nil || len(logs) == 0 {
		r.t.Fatalf("no logs in %s: %v", r.dir, err)
	}
	for _, file := range logs {
		text, err := os.ReadFile(file)
		if err != nil {
			r.t.Error(err)
		}
		found := 0
		for line := range strings.Lines(string(text)) {
			if violation.MatchString(line) {
				if found++; found <= 3 {
					r.t.Errorf("%s, want no violation of permissions: %s", filepath.Base(file), strings.TrimSpace(line))
				}
			}
		}
		if found > 3 {
			r.t.Errorf("%s: %d such lines in all, want 3 at most", filepath.Base(file), found)
		}
	}
}
