package cards

import (
	"context"
	"time"

	"go.uber.org/zap"
)

// noteExpiry keeps count of the sessions that can still expire.
func (s *Server) noteExpiry(v Session) {
	if v.Status != "open" {
		delete(s.open, v.ID)
		return
	}
	s.open[v.ID] = v.ExpiresAt
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// expireSessions closes every session at its time until ctx ends.
func (s *Server) expireSessions(ctx context.Context) {
	for {
		if !sleep(ctx, s.expireDue(), s.wake) {
			return
		}
	}
}

// expireDue closes what is due and returns how long until the next one, or a
// negative time when none is open.
func (s *Server) expireDue() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, next := s.now(), time.Duration(-1)
	t := s.begin("expire sessions")
	for id, at := range s.open {
		left := time.Unix(at, 0).Sub(now)
		if left <= 0 {
			t.expire(s.state.sessions.byID[id])
		} else if next < 0 || left < next {
			next = left
		}
	}
	if len(t.Sessions) == 0 {
		return next
	}
	if err := t.commit(); err != nil {
		s.log.Error("cannot expire sessions", zap.Error(err))
		return time.Minute
	}
	return next
}
