package designcheck

import (
	"context"
	"errors"
	"path"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/check"
	"boardorder/pkg/board/reader"
	"boardorder/services/design-check/internal/kicadcli"

	"go.uber.org/zap"
)

// secondOpinion lets KiCad check its own board meanwhile, where it is installed.
// What is returned waits for it and adds what it says to our report.
func (j *judging) secondOpinion(ctx context.Context, files []reader.File, b *board.Board) func(*check.Report) {
	if j.kicad.Path == "" || !drawnByKiCad(b) {
		return func(*check.Report) {}
	}
	type opinion struct {
		report kicadcli.Report
		err    error
	}
	said := make(chan opinion, 1)
	go func() {
		r, err := j.kicad.Check(ctx, files)
		said <- opinion{r, err}
	}()
	return func(ours *check.Report) {
		o := <-said
		switch {
		case errors.Is(o.err, kicadcli.ErrNoBoard):
		case o.err != nil:
			j.log.Warn("KiCad's own check failed", zap.String("board", b.Name), zap.Error(o.err))
		default:
			kicadcli.Join(ours, o.report)
		}
	}
}

// drawnByKiCad tells whether the board is KiCad's own file rather than its plot.
func drawnByKiCad(b *board.Board) bool {
	for _, l := range b.Copper() {
		return strings.EqualFold(path.Ext(l.File), ".kicad_pcb")
	}
	return false
}
