package bus

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/trace"

	"github.com/nats-io/nuid"
)

// A Claim is a command that holds a key, so that of those who ask for the same
// one sends it and the others find it, also once it was carried out.
type Claim struct {
	contract.Command
	Key  string // a subject token
	Note string // the claimant's own words on one line, such as what the key stands for
	Seq  uint64 // its position. In Claim: of the one whose place it takes; 0 = the key must be free

	by string // whoever made it, so that of equal claims made at one moment one wins
}

const (
	hNote    = "claim-note"
	hClaimBy = "claim-by"
)

// Claim sends a command if the last claim of its key is still the one that it
// was made for, otherwise ErrWrongRevision. Claiming and sending are one write: there
// is no claim whose command was not sent.
//
// If it was made for another, or no answer comes in time, the last claim decides: most
// likely it is this one where it was sent twice, and whoever asks for it need not come
// again.
func (b *Bus) Claim(ctx context.Context, c Claim) error {
	if !contract.ValidToken(c.Key) {
		return fmt.Errorf("claim: %q is no subject token", c.Key)
	}
	c.by = nuid.Next()
	err := b.claim(ctx, c)
	if err == nil {
		return nil
	}
	if last, failed := b.LatestClaim(context.WithoutCancel(ctx), c.Name, c.Key); failed == nil && last.by == c.by {
		return nil
	}
	return err
}

func (b *Bus) claim(ctx context.Context, c Claim) (err error) {
	ctx, end := trace.Start(ctx, "send "+c.Name.String())
	defer func() { end(err) }()
	ctx, cancel := context.WithTimeout(ctx, publishTimeout)
	defer cancel()
	s, _, err := b.layout.holding(contract.RequestStream, c.Key)
	if err != nil {
		return err
	}
	msg := b.commandMsg(ctx, contract.RequestSubject(c.Name, c.Key), c.Command)
	set(msg.Header, hNote, c.Note)
	set(msg.Header, hClaimBy, c.by)
	set(msg.Header, hExpected, strconv.FormatUint(c.Seq, 10))
	start := b.now()
	_, err = b.publishGuarded(ctx, s, msg, c.Seq)
	b.metrics.notePublish("command."+c.Name.String(), b.now().Sub(start), err)
	return revisionError("claim", c.Name.String()+" "+c.Key, err)
}

// LatestClaim gives the last claim of a key, or ErrNoKey.
func (b *Bus) LatestClaim(ctx context.Context, name contract.CommandName, key string) (Claim, error) {
	if !contract.ValidToken(key) {
		return Claim{}, ErrNoKey
	}
	msg, err := b.latestMessage(ctx, contract.RequestStream, key, contract.RequestSubject(name, key))
	if errors.Is(err, aggregate.ErrNone) {
		return Claim{}, ErrNoKey
	}
	if err != nil {
		return Claim{}, fmt.Errorf("read claim of %s %s: %w", name, key, err)
	}
	c, err := decodeCommand(msg.Header, msg.Data)
	return Claim{Command: c, Key: key, Note: get(msg.Header, hNote), Seq: msg.Sequence, by: get(msg.Header, hClaimBy)}, err
}
