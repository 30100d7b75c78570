package topology

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	// duplicateWindow is how long the server remembers the ids of commands. It
	// saves work; nothing relies on it.
	duplicateWindow = 10 * time.Minute
	// noWindow is the shortest one that the server takes. What is guarded by a
	// sequence has no such id, and a server that starts reads all messages of the
	// window again.
	noWindow = 100 * time.Millisecond
)

// streamConfig is how one part of a declared stream is kept. No stream allows
// direct gets: any follower would answer them with what it has by then.
func streamConfig(s contract.Stream, p contract.Part, parts int, cfg Config) jetstream.StreamConfig {
	out := jetstream.StreamConfig{
		Name: p.Name, Description: s.About, Subjects: p.Subjects,
		Retention: jetstream.LimitsPolicy, Discard: jetstream.DiscardNew,
		MaxBytes: registry.SizeOf(s, cfg.MaxBytes) / int64(parts), MaxAge: s.Keep,
		MaxMsgsPerSubject: int64(s.Versions), DiscardNewPerSubject: s.Overwrites, Storage: jetstream.FileStorage, Replicas: cfg.Replicas,
		Duplicates: noWindow, AllowAtomicPublish: true,
		// The server (2.15.2) adds plain records to the end of a block that it has
		// compressed, where the node was ended and caught up: nobody can read them.
		Compression: jetstream.NoCompression,
	}
	if s.DropsOldest {
		out.Discard = jetstream.DiscardOld
	}
	if s.Versions == 0 {
		out.MaxMsgsPerSubject = -1
	}
	switch {
	case s.WorkQueue:
		out.Retention, out.Duplicates = jetstream.WorkQueuePolicy, duplicateWindow
	case s.Schedules:
		// One message a subject: setting a timer again replaces it. The server
		// refuses schedules together with discard-new.
		out.AllowMsgSchedules, out.AllowMsgTTL, out.MaxMsgsPerSubject = true, true, 1
		out.Discard = jetstream.DiscardOld
	}
	return out
}

// bucketConfig is the stream of a key-value bucket, as the client library makes
// it, but that its leader answers reads.
func bucketConfig(b contract.Bucket, cfg Config) jetstream.StreamConfig {
	storage := jetstream.FileStorage
	if b.Memory {
		storage = jetstream.MemoryStorage
	}
	window := 2 * time.Minute
	if b.TTL > 0 {
		window = min(window, b.TTL)
	}
	return jetstream.StreamConfig{
		Name: "KV_" + b.Name, Description: b.About, Subjects: []string{"$KV." + b.Name + ".>"},
		MaxMsgsPerSubject: 1, MaxBytes: b.Bytes, MaxAge: b.TTL, Storage: storage, Replicas: cfg.Replicas,
		AllowRollup: true, DenyDelete: !b.Erasable, Duplicates: window, Discard: jetstream.DiscardNew,
	}
}

func (o *Owner) planStream(ctx context.Context, s contract.Stream) ([]Change, error) {
	parts := s.Parts(o.cfg.Parts[s.Name])
	if extra, err := o.extraParts(ctx, s, len(parts)); err != nil || extra != "" {
		return nil, errors.Join(err, errIf(extra))
	}
	moving, err := o.splitting(ctx, s, parts)
	if err != nil {
		return nil, err
	}
	if moving != nil {
		return []Change{moving.change()}, nil
	}
	var plan []Change
	for _, p := range parts {
		changes, err := o.planPart(ctx, streamConfig(s, p, len(parts), o.cfg), "stream "+p.Name)
		if err != nil {
			return nil, err
		}
		plan = append(plan, changes...)
		for _, c := range s.Consumers {
			changes, err := o.planConsumer(ctx, s, p, c)
			if err != nil {
				return nil, err
			}
			plan = append(plan, changes...)
		}
	}
	return plan, nil
}

func errIf(text string) error {
	if text == "" {
		return nil
	}
	return errors.New(text)
}

// extraParts says that a stream is kept in more parts than wanted.
func (o *Owner) extraParts(ctx context.Context, s contract.Stream, parts int) (string, error) {
	if !s.Split || parts >= contract.Partitions {
		return "", nil
	}
	_, err := o.js.Stream(ctx, s.PartName(parts))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("it is kept in more than %d parts; parts cannot be joined", parts), nil
}

func (o *Owner) planPart(ctx context.Context, want jetstream.StreamConfig, what string) ([]Change, error) {
	s, err := o.js.Stream(ctx, want.Name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return []Change{{What: what, How: "create", apply: func(ctx context.Context) error {
			_, err := o.js.CreateStream(ctx, want)
			return err
		}}}, nil
	}
	if err != nil {
		return nil, err
	}
	notes, loss := differences(s.CachedInfo(), want)
	if len(notes) == 0 {
		return nil, nil
	}
	return []Change{{What: what, How: "update", Notes: notes, Loss: loss, apply: func(ctx context.Context) error {
		want.FirstSeq = s.CachedInfo().Config.FirstSeq // of a part that was split off
		_, err := o.js.UpdateStream(ctx, want)
		return err
	}}}, nil
}

// differences compares what can be changed, and says what of it loses data.
func differences(info *jetstream.StreamInfo, want jetstream.StreamConfig) (notes []string, loss string) {
	have, state := info.Config, info.State
	note := func(name string, from, to any) { notes = append(notes, fmt.Sprintf("%s %v → %v", name, from, to)) }
	lose := func(format string, args ...any) {
		loss = strings.TrimPrefix(loss+"; "+fmt.Sprintf(format, args...), "; ")
	}
	if !slices.Equal(have.Subjects, want.Subjects) {
		note("subjects", have.Subjects, want.Subjects)
		if state.Msgs > 0 {
			lose("its %d messages stay where they would not be looked for", state.Msgs)
		}
	}
	if have.MaxAge != want.MaxAge {
		note("age", age(have.MaxAge), age(want.MaxAge))
		if shorter(have.MaxAge, want.MaxAge) && state.Msgs > 0 && time.Since(state.FirstTime) > want.MaxAge {
			lose("it deletes what is older than %s", age(want.MaxAge))
		}
	}
	if have.MaxBytes != want.MaxBytes {
		note("bytes", have.MaxBytes, want.MaxBytes)
		if want.MaxBytes > 0 && state.Bytes > uint64(want.MaxBytes) {
			lose("it holds %d bytes, more than %d", state.Bytes, want.MaxBytes)
		}
	}
	if have.MaxMsgsPerSubject != want.MaxMsgsPerSubject {
		note("messages a subject", have.MaxMsgsPerSubject, want.MaxMsgsPerSubject)
		if want.MaxMsgsPerSubject > 0 && (have.MaxMsgsPerSubject <= 0 || want.MaxMsgsPerSubject < have.MaxMsgsPerSubject) && state.Msgs > state.NumSubjects {
			lose("it deletes older messages of each subject")
		}
	}
	if have.Replicas != want.Replicas {
		note("replicas", have.Replicas, want.Replicas)
		if want.Replicas < have.Replicas {
			lose("fewer copies")
		}
	}
	for _, flag := range []struct {
		name       string
		have, want any
	}{
		{"about", have.Description, want.Description}, {"direct gets", have.AllowDirect, want.AllowDirect},
		{"atomic batches", have.AllowAtomicPublish, want.AllowAtomicPublish}, {"discard", have.Discard, want.Discard}, {"discard of a subject", have.DiscardNewPerSubject, want.DiscardNewPerSubject},
		{"duplicate window", have.Duplicates, want.Duplicates}, {"compression", have.Compression, want.Compression},
	} {
		if flag.have != flag.want {
			note(flag.name, flag.have, flag.want)
		}
	}
	return notes, loss
}

func age(d time.Duration) string {
	if d == 0 {
		return "for ever"
	}
	return d.String()
}

func shorter(from, to time.Duration) bool { return to != 0 && (from == 0 || to < from) }

// consumerConfig is how a declared consumer is kept. There is no limit of
// deliveries and no back-off at the server: package flow decides about both.
func consumerConfig(c contract.Consumer) jetstream.ConsumerConfig {
	return jetstream.ConsumerConfig{
		Durable: c.Name, FilterSubject: c.Filter, AckPolicy: jetstream.AckExplicitPolicy, AckWait: bus.DefaultAckWait,
		MaxDeliver: -1, MaxAckPending: c.AckPending, DeliverPolicy: jetstream.DeliverAllPolicy, MaxWaiting: 4096,
		HeadersOnly: c.HeadersOnly,
	}
}

// consumer is consumerConfig as this broker has it.
func (o *Owner) consumer(c contract.Consumer) jetstream.ConsumerConfig {
	cfg := consumerConfig(c)
	if o.cfg.AckWait > 0 {
		cfg.AckWait = o.cfg.AckWait
	}
	return cfg
}

func (o *Owner) planConsumer(ctx context.Context, s contract.Stream, p contract.Part, c contract.Consumer) ([]Change, error) {
	want := o.consumer(c)
	what := "consumer " + c.Name + " of " + p.Name
	apply := func(ctx context.Context) error {
		_, err := o.js.CreateOrUpdateConsumer(ctx, p.Name, want)
		return err
	}
	cons, err := o.js.Consumer(ctx, p.Name, c.Name)
	if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) {
		return []Change{{What: what, How: "create", apply: apply}}, nil
	}
	if err != nil {
		return nil, err
	}
	have := cons.CachedInfo().Config
	want.DeliverPolicy, want.OptStartSeq = have.DeliverPolicy, have.OptStartSeq // where it began is past
	var notes []string
	for _, d := range []struct {
		name       string
		have, want any
	}{
		{"filter", have.FilterSubject, want.FilterSubject}, {"ack wait", have.AckWait, want.AckWait},
		{"ack pending", have.MaxAckPending, want.MaxAckPending}, {"max waiting", have.MaxWaiting, want.MaxWaiting},
		{"headers only", have.HeadersOnly, want.HeadersOnly},
	} {
		if d.have != d.want {
			notes = append(notes, fmt.Sprintf("%s %v → %v", d.name, d.have, d.want))
		}
	}
	if len(notes) == 0 {
		return nil, nil
	}
	return []Change{{What: what, How: "update", Notes: notes, apply: apply}}, nil
}
