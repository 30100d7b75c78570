package designcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/render/pngstream"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/trace"
	"boardorder/services/design-check/internal/overlay"

	"go.uber.org/zap"
)

// Pictures of what a customer has to look at before paying.
const (
	maxFaults   = 40 // of what must be fixed: all but on boards that are no boards
	maxMarked   = 8  // with milder ones
	markingTime = 10 * time.Second
)

// A mark is a finding that is shown on a picture, and the picture's name.
type mark struct {
	Picture string
	Finding dfm.Finding
}

// nameMarks names a picture for each finding of a board that must be fixed and is somewhere on
// it, and for the first of the milder ones. Notes have none.
func nameMarks(board int, out []contract.Finding, measured []dfm.Finding) []mark {
	var marks []mark
	for i := range out {
		most := maxMarked
		if out[i].Level == "must_fix" {
			most = maxFaults
		}
		f := limitPlaces(measured[i])
		if out[i].Level == "note" || len(marks) >= most || len(f.Places) == 0 {
			continue
		}
		out[i].Image = fmt.Sprintf("%d-finding-%d.png", board, i)
		marks = append(marks, mark{Picture: out[i].Image, Finding: f})
	}
	return marks
}

// leave keeps what is to be marked for whoever draws it.
func (m *maker) leave(marks [][]mark) error {
	data, err := json.Marshal(marks)
	if err == nil {
		err = m.put(marksFile, jsonType, bytesWriter(data))
	}
	if err != nil {
		return fmt.Errorf("leave the marks: %w", err)
	}
	return nil
}

// complete makes the packages and pictures that a reading names, in the order of what
// matters most: what fails later takes nothing with it. It gives how many boards it found,
// of which nothing is made where they are others than were read.
func (m *maker) complete(ctx context.Context, ask completeAsk, marks [][]mark) (boards int, err error) {
	if err := m.pack(uploadPackage, m.files); err != nil || ask.Boards == 0 {
		return 0, err
	}
	project := upload.Read(ctx, m.files, upload.Options{Answers: m.answers})
	boards = len(project.Boards)
	if boards != ask.Boards {
		return boards, ctx.Err()
	}
	for i, b := range project.Boards {
		if plot, own := m.buildSources(b, project); plot && len(b.Copper()) > 0 || len(own) > 0 {
			if err := m.packBoard(boardPackage(i), b, plot, own); err != nil {
				return boards, err
			}
		}
	}
	if !ask.Draw {
		return boards, nil
	}
	for i, b := range project.Boards {
		if err := m.draw(ctx, i, b, marks); err != nil {
			return boards, err
		}
	}
	return boards, nil
}

// draw draws both sides of a board, and its marks. A picture that cannot be drawn is left
// out: no price depends on it, and what it was to show is told in words.
func (m *maker) draw(ctx context.Context, i int, b *pcb.Board, marks [][]mark) error {
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		img, err := render.SideMap(ctx, b, side, render.Options{Width: 1200, Height: 1200, Margin: 1_000_000})
		if errors.Is(err, render.ErrNothing) {
			continue
		}
		if _, ok := errors.AsType[*pcb.TooComplex](err); ok {
			m.log.Warn("a board cannot be drawn", zap.Error(err), trace.ID(ctx))
			continue
		}
		if err != nil {
			return fmt.Errorf("draw %s side of %s: %w", side, b.Name, err)
		}
		name := sidePicture(i, side)
		if err := m.put(name, pngType, func(w io.Writer) error { return pngstream.EncodeMap(w, img) }); err != nil {
			return fmt.Errorf("picture %s: %w", name, err)
		}
	}
	if i < len(marks) {
		m.mark(ctx, b, marks[i])
	}
	return nil
}

// mark draws findings where they are. What cannot be drawn is for our log.
func (m *maker) mark(ctx context.Context, b *pcb.Board, marks []mark) {
	artist := overlay.New(b)
	ctx, cancel := context.WithTimeout(ctx, markingTime)
	defer cancel()
	for _, k := range marks {
		img, err := artist.Draw(ctx, k.Finding)
		if ctx.Err() != nil {
			return
		}
		var data []byte
		if err == nil {
			data, err = overlay.PNG(img)
		}
		if err == nil {
			err = m.put(k.Picture, pngType, bytesWriter(data))
		}
		if err != nil {
			m.log.Warn("a finding cannot be drawn", zap.Error(err), trace.ID(ctx))
		}
	}
}
