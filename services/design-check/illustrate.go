package designcheck

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/trace"
	"boardorder/services/design-check/internal/overlay"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// Pictures of findings: as many as their drawing takes some seconds at most.
const (
	maxPictures = 30
	minPictures = 5
	drawable    = 6_000_000 // features, over all pictures

	drawingTime = 4 * time.Second // after which the rest is left undrawn
)

// illustrate draws the findings and writes the page. A check is as good without
// them: what cannot be drawn is for our log.
func (j *judging) illustrate(ctx context.Context, b *pcb.Board, found *dfm.Report, d *designchecks.DesignCheck) {
	defer func() {
		if p := recover(); p != nil {
			j.log.Error("drawing a check broke down", zap.String("check", d.ID), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()), trace.ID(ctx))
		}
	}()
	if err := j.pictures(ctx, b, found, d); err != nil {
		j.log.Warn("a finding cannot be drawn", zap.String("check", d.ID), zap.Error(err), trace.ID(ctx))
	}
	pages, err := report.Write(ctx, *d, b, found)
	if err != nil {
		j.log.Warn("a report cannot be written", zap.String("check", d.ID), zap.Error(err), trace.ID(ctx))
		return
	}
	if err := j.put(reportName, reportType, bytesWriter(pages.HTML)); err != nil {
		j.log.Warn("a report cannot be sent", zap.String("check", d.ID), zap.Error(err), trace.ID(ctx))
		return
	}
	d.Report, d.ReportPolicy = reportName, report.Policy()
	if err := j.put(placesName, jsonType, bytesWriter(pages.Places)); err != nil {
		j.log.Warn("the places of a report cannot be sent", zap.String("check", d.ID), zap.Error(err), trace.ID(ctx))
		return
	}
	d.Places = placesName
	if len(pages.Search.Index) == 0 {
		return
	}
	files := map[string][]byte{designchecks.SearchName: pages.Search.Index}
	for i, data := range pages.Search.Nets {
		files[designchecks.NetsName(i)] = data
	}
	for name, data := range files {
		if err := j.put(name, jsonType, bytesWriter(data)); err != nil {
			j.log.Warn("what is searched in a report cannot be sent", zap.String("check", d.ID), zap.Error(err), trace.ID(ctx))
			return
		}
	}
	d.Search, d.NetFiles = designchecks.SearchName, len(pages.Search.Nets)
}

// pictures draws the findings that are somewhere on the board, worst first.
func (j *judging) pictures(ctx context.Context, b *pcb.Board, found *dfm.Report, d *designchecks.DesignCheck) error {
	artist := overlay.New(b)
	limited, cancel := context.WithTimeout(ctx, drawingTime)
	defer cancel()
	drawn := 0
	left := max(minPictures, min(maxPictures, drawable/max(features(b), 1)))
	for i := range d.Findings {
		k := report.IndexOf(found.Findings, d.Findings[i])
		if k < 0 || left == 0 || limited.Err() != nil && drawn >= minPictures {
			continue
		}
		f := limitPlaces(found.Findings[k])
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
		if err := j.put(name, pngType, bytesWriter(data)); err != nil {
			return fmt.Errorf("send picture %d: %w", i, err)
		}
		d.Findings[i].Image = name
		drawn, left = drawn+1, left-1
	}
	return nil
}

// maxDrawn is how many places a picture of a finding marks.
const maxDrawn = 50

// limitPlaces is a finding with the places that a picture of it marks.
func limitPlaces(f dfm.Finding) dfm.Finding {
	places := report.KeepLocated(f.Places)
	f.Places = places[:min(len(places), maxDrawn)]
	return f
}

// The page of a check, and what lies beside it.
const (
	placesName = "places.json"
	reportName = "report.html"
	reportType = "text/html; charset=utf-8"
)

// bytesWriter writes what is there already.
func bytesWriter(data []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	}
}

func features(b *pcb.Board) int {
	n := 0
	for _, l := range b.Layers {
		n += len(l.Features)
	}
	return n
}
