package bus

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/trace"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/tidwall/gjson"
)

var _ aggregate.Core = (*Bus)(nil)

// Last implements aggregate.Log. The stream's leader answers, so it sees every
// append that was acknowledged before; streams do not allow direct gets, which
// any follower would answer with what it has by then.
//
// A leader that was cut off may answer for some seconds more with what it knew.
// Nothing final follows from that: a commit, an acknowledgement and a dead letter
// all need the majority.
func (b *Bus) Last(ctx context.Context, a contract.Aggregate, id string) (e contract.Event, err error) {
	ctx, end := trace.Start(ctx, "load "+string(a))
	defer func() {
		if errors.Is(err, aggregate.ErrNone) { // an answer
			end(nil)
			return
		}
		end(err)
	}()
	if !contract.ValidToken(id) {
		return contract.Event{}, fmt.Errorf("aggregate id %q is no subject token", id)
	}
	msg, err := b.latestMessage(ctx, contract.EventStream(a), id, contract.EventSubject(a, id))
	if errors.Is(err, aggregate.ErrNone) {
		return contract.Event{}, err
	}
	if err != nil {
		return contract.Event{}, fmt.Errorf("read last event of %s %s: %w", a, id, err)
	}
	e, err = decodeEvent(msg.Subject, msg.Header, msg.Data, msg.Sequence)
	e.StoredAt = msg.Time
	return e, err
}

// latestMessage gives the last message on a subject of a stream, or aggregate.ErrNone.
// id decides the partition. The message may be others' too.
func (b *Bus) latestMessage(ctx context.Context, stream, id, subject string) (m *jetstream.RawStreamMsg, err error) {
	defer markUnavailable(ctx, &err)
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	return b.loads.do(ctx, subject, func(ctx context.Context) (*jetstream.RawStreamMsg, error) {
		ctx, cancel := context.WithTimeout(ctx, publishTimeout)
		defer cancel()
		s, _, err := b.layout.holding(stream, id)
		if err != nil {
			return nil, err
		}
		request := append(append([]byte(`{"last_by_subj":"`), subject...), `"}`...) // tokens need no escapes
		reply, err := look(ctx, b.link, func(ctx context.Context) (*nats.Msg, error) {
			return b.nc.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+s.CachedInfo().Config.Name, request)
		})
		if err != nil {
			return nil, err
		}
		return parseStored(reply.Data)
	})
}

// parseStored reads the broker's answer, of which nearly all is two texts in
// base64: they are found without looking at each byte as JSON several times.
func parseStored(answer []byte) (*jetstream.RawStreamMsg, error) {
	if !gjson.ValidBytes(answer) {
		return nil, jetstream.ErrInvalidJetStreamResponse
	}
	var m *jetstream.RawStreamMsg
	var err error
	contract.Parse(answer).ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "error":
			err = refusalIn(value.Raw)
		case "message":
			m, err = messageIn(value)
		}
		return err == nil
	})
	if m == nil && err == nil {
		err = jetstream.ErrInvalidJetStreamResponse
	}
	return m, err
}

func refusalIn(text string) error {
	var refusal jetstream.APIError
	if err := json.Unmarshal([]byte(text), &refusal); err != nil {
		return fmt.Errorf("error of the broker: %w", err)
	}
	if refusal.ErrorCode == jetstream.JSErrCodeMessageNotFound {
		return aggregate.ErrNone
	}
	return &refusal
}

func messageIn(object gjson.Result) (*jetstream.RawStreamMsg, error) {
	m := &jetstream.RawStreamMsg{}
	var errs [3]error
	object.ForEach(func(name, value gjson.Result) bool {
		switch name.Str {
		case "subject":
			m.Subject = strings.Clone(value.Str) // the answer is let go
		case "seq":
			m.Sequence = value.Uint()
		case "hdrs":
			var block []byte
			if block, errs[0] = base64.StdEncoding.DecodeString(value.Str); errs[0] == nil {
				m.Header, errs[0] = nats.DecodeHeadersMsg(block)
			}
		case "data":
			m.Data, errs[1] = base64.StdEncoding.DecodeString(value.Str)
		case "time":
			m.Time, errs[2] = time.Parse(time.RFC3339Nano, value.Str)
		}
		return true
	})
	if err := errors.Join(errs[:]...); err != nil {
		return nil, fmt.Errorf("stored message: %w", err)
	}
	return m, nil
}
