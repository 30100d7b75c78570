package main

import (
	"context"
	"fmt"
	"time"
)

// growthClients is how many clients ask at once: enough to keep the program busy.
const growthClients = 32

// growProgram asks the program for n quotes and starts it again after each
// tenth, on all that it has stored.
func growProgram(ctx context.Context, program string, n int, show func(stage)) error {
	s, err := startSystem(ctx, program, growthClients)
	if err != nil {
		return err
	}
	defer s.stop() //nolint:errcheck // a temporary folder at the worst
	upload, err := s.upload(ctx)
	if err != nil {
		return err
	}
	for tenth := range tenths {
		f, err := s.askTenth(ctx, upload, tenth, n/tenths)
		if err != nil {
			return err
		}
		now := stage{stored: (tenth + 1) * (n / tenths), figure: f}
		if now.resident, err = resident(s.PID); err != nil {
			return err
		}
		s.end()
		if now.disk, err = size(s.data()); err != nil {
			return err
		}
		begun := time.Now()
		if err := s.start(ctx, program); err != nil {
			return err
		}
		now.restart = time.Since(begun)
		show(now)
	}
	return nil
}

func (s *system) askTenth(ctx context.Context, upload string, tenth, n int) (figure, error) {
	asking := newAsker(s, growthClients)
	return loadWhile(ctx, growthClients, times(n), with(s.PID), func(_ context.Context, client, i int) error {
		return asking.quote(fmt.Appendf(nil,
			`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":"growth %d %d %d"}`, upload, tenth, client, i))
	})
}
