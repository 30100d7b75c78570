package topology

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"

	"github.com/nats-io/nats.go/jetstream"
)

// A split moves what a stream holds of the other parts' partitions to them. The
// broker copies; nothing is removed before the copy is whole. Each step finds out
// what is done already, so one that was cut off is done again.
type split struct {
	owner  *Owner
	stream contract.Stream
	parts  []contract.Part
	origin jetstream.Stream
}

// ErrParts says that a stream is kept in another number of parts already.
var ErrParts = errors.New("parts are neither joined nor split again")

// splitting gives the split that is due or under way, or nil. A stream without
// messages needs none: its parts are only made.
func (o *Owner) splitting(ctx context.Context, s contract.Stream, parts []contract.Part) (*split, error) {
	if len(parts) < 2 || s.WorkQueue { // whose messages leave by themselves
		return nil, nil
	}
	origin, err := o.js.Stream(ctx, s.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m := &split{o, s, parts, origin}
	have := origin.CachedInfo().Config.Subjects
	whole := slices.Equal(have, []string{s.Subject})
	if !whole && !slices.Equal(have, parts[0].Subjects) {
		return nil, fmt.Errorf("%w: %s takes %v", ErrParts, s.Name, have)
	}
	if whole && origin.CachedInfo().State.Msgs > 0 {
		return m, nil
	}
	for _, p := range parts[1:] {
		if part, err := o.js.Stream(ctx, p.Name); err == nil && len(part.CachedInfo().Config.Sources) > 0 {
			return m, nil // it was cut off
		}
	}
	left, err := m.countMessages(ctx, origin, m.subjectsToMove())
	if err != nil || left == 0 {
		return nil, err
	}
	return m, nil
}

func (m *split) change() Change {
	return Change{What: "stream " + m.stream.Name, How: "split", apply: m.run, Notes: []string{
		fmt.Sprintf("into %d parts; what it holds is copied to them, then removed where it lay", len(m.parts)),
	}}
}

// subjectsToMove are the subjects that leave the first part.
func (m *split) subjectsToMove() (subjects []string) {
	for _, p := range m.parts[1:] {
		subjects = append(subjects, p.Subjects...)
	}
	return subjects
}

func (m *split) run(ctx context.Context) error {
	for _, step := range []func(context.Context) error{m.idle, m.copyParts, m.narrow, m.awaitCopies, m.open, m.consumers, m.purge} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// errBusy refuses a split beside services: they would look for messages where
// these were.
var errBusy = errors.New("services are at work on it: stop the edge, then the others")

// idle makes sure that nobody is there to take messages, or has some. What waits for a time of
// its own comes again from the parts.
func (m *split) idle(ctx context.Context) error {
	for _, c := range m.stream.Consumers {
		cons, err := m.origin.Consumer(ctx, c.Name)
		if errors.Is(err, jetstream.ErrConsumerNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if info := cons.CachedInfo(); info.NumAckPending > 0 && !c.Waits || info.NumWaiting > 0 {
			return fmt.Errorf("consumer %s has %d taken, %d requests: %w", c.Name, info.NumAckPending, info.NumWaiting, errBusy)
		}
	}
	return nil
}

// copyParts has the broker copy each part's messages. Their sequences go on after
// the origin's, so that a document of an event is never newer than the event.
func (m *split) copyParts(ctx context.Context) error {
	last := m.origin.CachedInfo().State.LastSeq
	for _, p := range m.parts[1:] {
		_, err := m.owner.js.Stream(ctx, p.Name)
		if err == nil {
			continue
		}
		if !errors.Is(err, jetstream.ErrStreamNotFound) {
			return err
		}
		cfg := streamConfig(m.stream, p, len(m.parts), m.owner.cfg)
		// What is copied is no append, which would make room for itself.
		cfg.Subjects, cfg.FirstSeq, cfg.AllowAtomicPublish, cfg.DiscardNewPerSubject = nil, last+1, false, false
		from := &jetstream.StreamSource{Name: m.stream.Name}
		for _, subject := range p.Subjects {
			from.SubjectTransforms = append(from.SubjectTransforms, jetstream.SubjectTransformConfig{Source: subject})
		}
		cfg.Sources = []*jetstream.StreamSource{from}
		if _, err := m.owner.js.CreateStream(ctx, cfg); err != nil {
			return fmt.Errorf("make %s: %w", p.Name, err)
		}
	}
	return m.awaitCopies(ctx)
}

// narrow has the first part take only its own partitions.
func (m *split) narrow(ctx context.Context) error {
	cfg := streamConfig(m.stream, m.parts[0], len(m.parts), m.owner.cfg)
	cfg.MaxBytes = m.origin.CachedInfo().Config.MaxBytes // until what leaves has left
	_, err := m.owner.js.UpdateStream(ctx, cfg)
	return err
}

// copyPause is between two looks at a copy.
const copyPause = 50 * time.Millisecond

// awaitCopies waits until each part that is being copied is whole: the broker copies in
// order, so it is once it has the last message of each partition. The leaders of both
// streams say so; a count could be that of a replica that is behind.
func (m *split) awaitCopies(ctx context.Context) error {
	for _, p := range m.parts[1:] {
		part, err := m.owner.js.Stream(ctx, p.Name)
		if err != nil {
			return err
		}
		if len(part.CachedInfo().Config.Sources) == 0 {
			continue // it was opened before
		}
		for _, subject := range p.Subjects {
			if err := m.awaitCopyOf(ctx, part, subject); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m *split) awaitCopyOf(ctx context.Context, part jetstream.Stream, subject string) error {
	last, err := m.origin.GetLastMsgForSubject(ctx, subject)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	for {
		copied, err := part.GetLastMsgForSubject(ctx, subject)
		if err != nil && !errors.Is(err, jetstream.ErrMsgNotFound) {
			return err
		}
		if err == nil {
			if at, ok := copyOf(copied); ok && at >= last.Sequence {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%s is not copied whole: %w", subject, ctx.Err())
		case <-time.After(copyPause):
		}
	}
}

// hSource is where the broker writes which message of which stream one is a copy of.
const hSource = "Nats-Stream-Source"

// copyOf is the sequence that a copied message had where it came from; ok is false
// for one that was published to its part.
func copyOf(m *jetstream.RawStreamMsg) (seq uint64, ok bool) {
	fields := strings.Fields(m.Header.Get(hSource))
	if len(fields) < 2 {
		return 0, false
	}
	seq, err := strconv.ParseUint(fields[1], 10, 64)
	return seq, err == nil
}

// open has the parts take their partitions' messages themselves.
func (m *split) open(ctx context.Context) error {
	for _, p := range m.parts[1:] {
		part, err := m.owner.js.Stream(ctx, p.Name)
		if err != nil {
			return err
		}
		cfg := streamConfig(m.stream, p, len(m.parts), m.owner.cfg)
		cfg.FirstSeq = part.CachedInfo().Config.FirstSeq
		if _, err := m.owner.js.UpdateStream(ctx, cfg); err != nil {
			return fmt.Errorf("open %s: %w", p.Name, err)
		}
	}
	return nil
}

// consumers begin where they were in the first part: what they had not taken, and
// what came since, they take from where it lies now.
func (m *split) consumers(ctx context.Context) error {
	for _, p := range m.parts[1:] {
		part, err := m.owner.js.Stream(ctx, p.Name)
		if err != nil {
			return err
		}
		for _, c := range m.stream.Consumers {
			if _, err := part.Consumer(ctx, c.Name); !errors.Is(err, jetstream.ErrConsumerNotFound) {
				if err != nil {
					return err
				}
				continue
			}
			cfg := m.owner.consumer(c)
			if cfg.OptStartSeq, err = m.untaken(ctx, part, c); err != nil {
				return fmt.Errorf("consumer %s of %s: %w", c.Name, p.Name, err)
			}
			cfg.DeliverPolicy = jetstream.DeliverByStartSequencePolicy
			if _, err := part.CreateConsumer(ctx, cfg); err != nil {
				return fmt.Errorf("consumer %s of %s: %w", c.Name, p.Name, err)
			}
		}
	}
	return nil
}

// untaken is the sequence in a part of the first message that a consumer had not
// acknowledged in the first part, or of the next message. It is searched by halves:
// copies lie in the order of what they are copies of.
func (m *split) untaken(ctx context.Context, part jetstream.Stream, c contract.Consumer) (uint64, error) {
	state := part.CachedInfo().State
	cons, err := m.origin.Consumer(ctx, c.Name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return max(state.FirstSeq, 1), nil
	}
	if err != nil {
		return 0, err
	}
	floor := cons.CachedInfo().AckFloor.Stream
	from, to := state.FirstSeq, state.LastSeq+1
	for from < to {
		half := from + (to-from)/2
		msg, err := part.GetMsg(ctx, half, jetstream.WithGetMsgSubject(">")) // or the next that is there
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			to = half
			continue
		}
		if err != nil {
			return 0, err
		}
		if at, ok := copyOf(msg); ok && at <= floor {
			from = msg.Sequence + 1
		} else {
			to = half
		}
	}
	return max(from, 1), nil
}

// purge removes from the first part what the others have.
func (m *split) purge(ctx context.Context) error {
	for _, p := range m.parts[1:] {
		part, err := m.owner.js.Stream(ctx, p.Name)
		if err != nil {
			return err
		}
		left, err := m.countMessages(ctx, m.origin, p.Subjects)
		if err != nil {
			return err
		}
		if have := part.CachedInfo().State.Msgs; have < left {
			return fmt.Errorf("%s has %d messages, fewer than the %d that would be removed from %s", p.Name, have, left, m.stream.Name)
		}
		for _, subject := range p.Subjects {
			if err := m.origin.Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
				return fmt.Errorf("purge %s of %s: %w", subject, m.stream.Name, err)
			}
		}
	}
	_, err := m.owner.js.UpdateStream(ctx, streamConfig(m.stream, m.parts[0], len(m.parts), m.owner.cfg))
	return err
}

// countMessages counts messages of some subjects: what a consumer of them would get.
func (m *split) countMessages(ctx context.Context, s jetstream.Stream, subjects []string) (uint64, error) {
	cons, err := s.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubjects: subjects, AckPolicy: jetstream.AckNonePolicy, DeliverPolicy: jetstream.DeliverAllPolicy, MemoryStorage: true,
		Replicas: 1, InactiveThreshold: 10 * time.Second, Description: "counts what a split moves",
	})
	if err != nil {
		return 0, fmt.Errorf("count messages of %s: %w", s.CachedInfo().Config.Name, err)
	}
	info := cons.CachedInfo()
	return info.NumPending, s.DeleteConsumer(ctx, info.Name)
}
