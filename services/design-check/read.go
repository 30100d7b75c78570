package designcheck

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/board"
	"boardorder/pkg/board/draw"
	"boardorder/pkg/board/reader"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/retention"
	"boardorder/services/design-check/internal/reading"

	"go.uber.org/zap"
)

// A Read reads a set of files. What it keeps of them lies under prefix, so that
// reading twice keeps the same. blob.ErrNotFound: the files have gone.
type Read func(ctx context.Context, data contract.ReadBoardData, prefix string) (contract.ReadFiles, error)

// read makes a reading, unless there is one of this reader's version.
func (s *Service) read(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.ReadBoardData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.Load[contract.ReadFiles](ctx, s.events, contract.BoardAggregate, data.Digest)
	if err != nil || before.Did(c.ID) {
		return err
	}
	if current(before) {
		_, err := retention.Need(ctx, s.events, data.Digest, c, "upload", data.Until, s.now())
		return err
	}
	prefix := contract.BoardPrefix(data.Digest, before.Version)
	state, err := s.reader(ctx, data, prefix)
	if errors.Is(err, blob.ErrNotFound) {
		s.log.Info("the files to read are gone", zap.String("digest", data.Digest))
		// The upload ended; whoever waits finds that out from it. An earlier try may
		// have left blobs.
		return s.deletePrefix(ctx, prefix)
	}
	if err != nil {
		return err
	}
	after, err := aggregate.Execute(ctx, s.events, contract.BoardAggregate, data.Digest, c, s.now(),
		func(now aggregate.Snapshot[contract.ReadFiles]) (*aggregate.Change[contract.ReadFiles], error) {
			if current(now) || now.Version != before.Version && now.State.Gone {
				return nil, nil
			}
			next := state
			next.Checks, next.NeededUntil = now.State.Checks, later(now.State.NeededUntil, data.Until)
			return &aggregate.Change[contract.ReadFiles]{Event: contract.BoardRead, State: next}, nil
		})
	if err != nil || after.State.Prefix == prefix && !after.State.Gone {
		return err
	}
	// Forgotten meanwhile, or read by another. What was made here must go: its
	// files may have been declared ITAR. Should they still be there, they are read anew.
	if err := s.deletePrefix(ctx, prefix); err != nil || !after.State.Gone {
		return err
	}
	return flow.Snooze(time.Second, errors.New("forgotten while it was read"))
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

func current(s aggregate.Snapshot[contract.ReadFiles]) bool {
	return s.State.IsRead() && s.State.Reader == Version
}

// make reads, draws and packs. Its blobs lie under a prefix of their own, so
// making them twice makes the same.
func (s *Service) make(ctx context.Context, data contract.ReadBoardData, prefix string) (contract.ReadFiles, error) {
	leave, err := s.gate.enter(ctx, unpacked(data.Files))
	if err != nil {
		return contract.ReadFiles{}, flow.Snooze(time.Second, err)
	}
	defer leave()
	files, err := s.fetch(ctx, data.Files)
	if err != nil {
		return contract.ReadFiles{}, err
	}
	pack, err := s.pack(ctx, prefix+"package.zip", files)
	if err != nil {
		return contract.ReadFiles{}, err
	}
	limited, cancel := context.WithTimeout(ctx, s.cfg.ReadTimeout)
	defer cancel()
	project := reader.Read(limited, files, reader.Options{})
	state := contract.ReadFiles{
		Digest: data.Digest, Prefix: prefix, Reader: Version, ReadAt: s.now(), Package: pack,
		Files: reading.Files(project.Files), Findings: reading.Findings(project.Findings), Boards: []contract.BoardFile{},
	}
	for i, b := range project.Boards {
		nets := s.nets(limited, b)
		made, err := s.board(ctx, fmt.Sprintf("%s%d-", prefix, i), b)
		if err != nil {
			return state, err
		}
		made.Findings = append(nets, made.Findings...)
		if err := s.packBoard(ctx, fmt.Sprintf("%s%d-package.zip", prefix, i), b, &made, files, project); err != nil {
			return state, err
		}
		state.Boards = append(state.Boards, made)
	}
	return state, nil
}

func unpacked(files []contract.UploadFile) int64 {
	var n int64
	for _, f := range files {
		n += f.Size
	}
	return n
}

func (s *Service) fetch(ctx context.Context, files []contract.UploadFile) ([]reader.File, error) {
	out := make([]reader.File, 0, len(files))
	for _, f := range files {
		r, _, err := s.blobs.Get(ctx, f.Key)
		if err != nil {
			return nil, fmt.Errorf("fetch %s: %w", f.Key, err)
		}
		data, err := io.ReadAll(io.LimitReader(r, f.Size+1))
		r.Close()
		if err != nil {
			return nil, fmt.Errorf("fetch %s: %w", f.Key, err)
		}
		out = append(out, reader.File{Name: f.Name, Data: data})
	}
	return out, nil
}

func (s *Service) board(ctx context.Context, prefix string, b *board.Board) (contract.BoardFile, error) {
	out := contract.BoardFile{Name: b.Name, Facts: reading.Facts(b.Facts), Findings: reading.Findings(b.Findings)}
	for _, side := range []struct {
		of  board.Side
		key *string
	}{{board.Top, &out.Top}, {board.Bottom, &out.Bottom}} {
		img, err := draw.Side(ctx, b, side.of, draw.Options{Width: 1200, Height: 1200, Margin: 1_000_000})
		if errors.Is(err, draw.ErrNothing) {
			continue
		}
		if e, ok := errors.AsType[*board.TooComplex](err); ok {
			out.Findings = append(out.Findings, reading.Findings([]board.Finding{e.Finding()})...)
			continue
		}
		if err != nil {
			return out, fmt.Errorf("draw %s side of %s: %w", side.of, b.Name, err)
		}
		if *side.key, err = s.keep(ctx, prefix+side.of.String()+".png", img); err != nil {
			return out, err
		}
	}
	return out, nil
}

func (s *Service) keep(ctx context.Context, key string, img image.Image) (string, error) {
	var png bytes.Buffer
	if err := draw.PNG(&png, img); err != nil {
		return "", fmt.Errorf("encode picture: %w", err)
	}
	if _, err := s.blobs.Put(ctx, key, &png, int64(png.Len()), "image/png"); err != nil {
		return "", fmt.Errorf("keep picture: %w", err)
	}
	return key, nil
}
