package bus

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
)

// Header names: CloudEvents 1.0 in NATS binary mode, and our extensions.
const (
	hID          = "ce-id"
	hType        = "ce-type"
	hSource      = "ce-source"
	hSpec        = "ce-specversion"
	hSubject     = "ce-subject"
	hTime        = "ce-time"
	hCause       = "ce-causationid"
	hCorrelation = "ce-correlationid"
	hAccount     = "ce-accountid"
	hOperation   = "ce-operation"
	hVersion     = "ce-aggregateversion"
	hLabels      = "ce-labels"
	hSequence    = "ce-sequence" // of an event that is handed over
	hReplay      = "ce-replay"
	hDeadline    = "ce-deadline"
	hContentType = "content-type"
	hExpected    = "Nats-Expected-Last-Subject-Sequence"

	hBatch         = "Nats-Batch-Id"
	hBatchSequence = "Nats-Batch-Sequence"
	hBatchCommit   = "Nats-Batch-Commit"
)

// maxHeaders is as many as a message has, mostly: a map of that size need not grow.
const maxHeaders = 16

const timeFormat = time.RFC3339Nano

func set(h nats.Header, name, value string) {
	if value != "" {
		h[name] = []string{value}
	}
}

// get reads a header whose case a foreign writer may have changed.
func get(h nats.Header, name string) string {
	if v := h[name]; len(v) > 0 {
		return v[0]
	}
	for k, v := range h {
		if strings.EqualFold(k, name) && len(v) > 0 {
			return v[0]
		}
	}
	return ""
}

// carrier moves trace context through NATS headers, in lower case.
type carrier nats.Header

func (c carrier) Get(key string) string { return get(nats.Header(c), key) }
func (c carrier) Set(key, value string) { c[strings.ToLower(key)] = []string{value} }
func (c carrier) Keys() []string {
	keys := make([]string, 0, len(c))
	for k := range c {
		keys = append(keys, k)
	}
	return keys
}

func (b *Bus) commandMsg(ctx context.Context, subject string, c contract.Command) *nats.Msg {
	h := commandHeader(b.cfg.Name, c)
	trace.Context.Inject(ctx, carrier(h))
	return &nats.Msg{Subject: subject, Header: h, Data: c.Data}
}

func commandHeader(source string, c contract.Command) nats.Header {
	h := make(nats.Header, maxHeaders)
	set(h, hSpec, "1.0")
	set(h, hID, c.ID)
	set(h, hType, "command."+c.Name.String()+".v1")
	set(h, hSource, "/"+source)
	set(h, hSubject, c.Name.String())
	set(h, hTime, c.At.UTC().Format(timeFormat))
	set(h, hCause, c.Cause)
	set(h, hCorrelation, c.Correlation)
	set(h, hAccount, c.Account)
	set(h, hOperation, c.Request)
	set(h, hContentType, "application/json")
	set(h, hLabels, registry.LabelsOf(c).String())
	if c.Replay {
		set(h, hReplay, "1")
	}
	if !c.Deadline.IsZero() {
		set(h, hDeadline, c.Deadline.UTC().Format(timeFormat))
	}
	return h
}

func decodeCommand(h nats.Header, data []byte) (contract.Command, error) {
	service, verb, ok := strings.Cut(get(h, hSubject), ".")
	id := get(h, hID)
	if !ok || id == "" {
		return contract.Command{}, fmt.Errorf("no command: subject %q, id %q", get(h, hSubject), id)
	}
	at, err := time.Parse(timeFormat, get(h, hTime))
	if err != nil {
		return contract.Command{}, fmt.Errorf("command %s: %w", id, err)
	}
	var deadline time.Time
	if d := get(h, hDeadline); d != "" {
		if deadline, err = time.Parse(timeFormat, d); err != nil {
			return contract.Command{}, fmt.Errorf("command %s: %w", id, err)
		}
	}
	return contract.Command{
		ID: id, Name: contract.CommandName{Service: service, Verb: verb}, Request: get(h, hOperation),
		Account: get(h, hAccount), Cause: get(h, hCause), Correlation: get(h, hCorrelation),
		At: at, Deadline: deadline, Replay: get(h, hReplay) != "", Data: data,
	}, nil
}

func (b *Bus) eventMsg(ctx context.Context, e contract.Event, after uint64) *nats.Msg {
	h := eventHeader(b.cfg.Name, e)
	set(h, hExpected, strconv.FormatUint(after, 10))
	trace.Context.Inject(ctx, carrier(h))
	return &nats.Msg{Subject: e.Subject(), Header: h, Data: e.Data}
}

func eventHeader(source string, e contract.Event) nats.Header {
	h := make(nats.Header, maxHeaders)
	set(h, hSpec, "1.0")
	set(h, hID, e.ID)
	set(h, hType, e.Type())
	set(h, hSource, "/"+source)
	set(h, hSubject, string(e.Aggregate)+"/"+e.AggregateID)
	set(h, hTime, e.At.UTC().Format(timeFormat))
	set(h, hCause, e.Cause)
	set(h, hCorrelation, e.Correlation)
	set(h, hAccount, e.Account)
	set(h, hOperation, e.Operation)
	set(h, hContentType, "application/json")
	set(h, hVersion, strconv.FormatUint(e.Version, 10))
	set(h, hLabels, e.Labels.String())
	return h
}

func decodeEvent(subject string, h nats.Header, data []byte, seq uint64) (contract.Event, error) {
	a, id, ok := contract.ParseEventSubject(subject)
	if !ok {
		return contract.Event{}, fmt.Errorf("no event subject: %q", subject)
	}
	name, format, ok := contract.ParseType(get(h, hType))
	if !ok {
		return contract.Event{}, fmt.Errorf("event on %s: no type: %q", subject, get(h, hType))
	}
	version, err := strconv.ParseUint(get(h, hVersion), 10, 64)
	if err != nil || version == 0 {
		return contract.Event{}, fmt.Errorf("event on %s: no version: %q", subject, get(h, hVersion))
	}
	at, err := time.Parse(timeFormat, get(h, hTime))
	if err != nil {
		return contract.Event{}, fmt.Errorf("event on %s: %w", subject, err)
	}
	return contract.Event{
		ID: get(h, hID), Aggregate: a, AggregateID: id, Name: name, Format: format, Version: version, Seq: seq,
		Operation: get(h, hOperation), Account: get(h, hAccount), Labels: contract.ParseLabels(get(h, hLabels)), Cause: get(h, hCause),
		Correlation: get(h, hCorrelation), At: at, Data: data,
	}, nil
}
