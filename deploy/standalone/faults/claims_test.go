package faults_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go/jetstream"
)

// outcomes gives the events that requests ended with, by request.
func (h *history) outcomes() map[string]contract.Event {
	out := map[string]contract.Event{}
	for _, e := range h.events {
		if request := outcomeRequest(e); request != "" {
			out[request] = e
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
