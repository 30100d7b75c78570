package designcheck

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"boardorder/pkg/board"
	"boardorder/pkg/board/check"
	"boardorder/services/design-check/internal/overlay"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// Pictures of findings: as many as their drawing takes some seconds at most.
const (
	mostPictures  = 30
	leastPictures = 5
	drawable      = 6_000_000 // features, over all pictures

	drawingTime = 4 * time.Second // after which the rest is left undrawn
)

// illustrate draws the findings and writes the page. A check is as good without
// them: what cannot be drawn is for our log.
func (j *judging) illustrate(ctx context.Context, b *board.Board, found *check.Report, m *Measured) {
	defer func() {
		if p := recover(); p != nil {
			j.log.Error("drawing a check broke down", zap.String("check", m.Check.ID), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
		}
	}()
	if err := j.pictures(ctx, b, found, m); err != nil {
		j.log.Warn("a finding cannot be drawn", zap.String("check", m.Check.ID), zap.Error(err))
	}
	page, err := report.Page(ctx, m.Check, b)
	if err != nil {
		j.log.Warn("a report cannot be written", zap.String("check", m.Check.ID), zap.Error(err))
		return
	}
	m.Blobs = append(m.Blobs, Blob{Name: "report.html", Kind: "text/html; charset=utf-8", Data: page})
	m.Check.Report, m.Check.ReportPolicy = "report.html", report.Policy()
}

// pictures draws the findings that are somewhere on the board, worst first.
func (j *judging) pictures(ctx context.Context, b *board.Board, found *check.Report, m *Measured) error {
	artist := overlay.New(b)
	byWords := map[string]check.Finding{}
	for _, f := range found.Findings {
		byWords[string(f.Check)+"\x00"+report.Words(f)] = f
	}
	limited, cancel := context.WithTimeout(ctx, drawingTime)
	defer cancel()
	left := max(leastPictures, min(mostPictures, drawable/max(features(b), 1)))
	for i := range m.Check.Findings {
		f, ok := byWords[m.Check.Findings[i].Check+"\x00"+m.Check.Findings[i].What]
		if !ok || left == 0 || limited.Err() != nil && len(m.Blobs) >= leastPictures {
			continue
		}
		f.Places = report.Located(f.Places)
		img, err := artist.Draw(ctx, f)
		if errors.Is(err, overlay.ErrNoPlace) {
			continue
		}
		if err != nil {
			return fmt.Errorf("draw finding %d: %w", i, err)
		}
		data, err := overlay.PNG(img)
		if err != nil {
			return err
		}
		name := strconv.Itoa(i) + ".png"
		m.Blobs = append(m.Blobs, Blob{Name: name, Kind: "image/png", Data: data})
		m.Check.Findings[i].Image = name
		left--
	}
	return nil
}

func features(b *board.Board) int {
	n := 0
	for _, l := range b.Layers {
		n += len(l.Features)
	}
	return n
}
