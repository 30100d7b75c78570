package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract/emails"
	"boardorder/pkg/trace"

	"go.uber.org/zap"
)

// recordAgain adds an e-mail that was sent before to the list of its kind: the process may
// have ended between the two. What older releases wrote down says only when it was.
func (s *Service) recordAgain(ctx context.Context, data emails.SendData, before []byte) error {
	var l emails.Letter
	if json.Unmarshal(before, &l) == nil && l.ID == data.ID {
		s.recordLetter(ctx, data.About, l)
	}
	return nil
}

// recordLetter adds an e-mail to those about one thing. The mail is out, or will never be:
// where that cannot be written down, only a history is the poorer for it.
func (s *Service) recordLetter(ctx context.Context, about string, l emails.Letter) {
	if err := s.addLetter(ctx, emails.LettersKey(about), l); err != nil {
		s.log.Warn("an e-mail is missing from the history of what it is about", zap.String("email", l.ID), zap.Error(err), trace.ID(ctx))
	}
}

// maxRaces is how many others may add an e-mail about the same thing meanwhile.
const maxRaces = 20

func (s *Service) addLetter(ctx context.Context, key string, l emails.Letter) error {
	for range maxRaces {
		list, rev, err := s.sent.Get(ctx, key)
		known := err == nil
		if err != nil && !errors.Is(err, bus.ErrNoKey) {
			return err
		}
		if list, err = emails.AddLetter(list, l); err != nil {
			return fmt.Errorf("the e-mails at %s: %w", key, err)
		}
		if known {
			_, err = s.sent.Update(ctx, key, list, rev)
		} else {
			_, err = s.sent.Create(ctx, key, list)
		}
		if !errors.Is(err, bus.ErrWrongRevision) {
			return err
		}
	}
	return fmt.Errorf("the e-mails at %s: %w", key, bus.ErrWrongRevision)
}
