package designcheck

import (
	"path"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/worker"
	"boardorder/services/design-check/internal/kicadcli"

	"go.uber.org/zap"
)

// emptyOpinion is where KiCad is not installed.
func emptyOpinion(*pcb.Board) func(*dfm.Report) { return func(*dfm.Report) {} }

// A secondOpinion asks, from a worker, for what KiCad says of its own board.
type secondOpinion struct {
	job interface {
		Step(v any) error
		Next() (worker.File, error)
	}
	log *zap.Logger
}

// start lets KiCad check its own board meanwhile. What is returned waits for it and
// adds what it says to our report.
func (o secondOpinion) start(b *pcb.Board) func(*dfm.Report) {
	if !isKiCadBoard(b) {
		return emptyOpinion(b)
	}
	if err := o.job.Step(measureStep{KiCad: true}); err != nil {
		return emptyOpinion(b)
	}
	return func(ours *dfm.Report) {
		f, err := o.job.Next()
		if err != nil || len(f.Data) == 0 {
			return // whoever ran it has logged why
		}
		theirs, err := kicadcli.Parse(f.Data)
		if err != nil {
			o.log.Warn("KiCad's own report cannot be read", zap.Error(err))
			return
		}
		kicadcli.Join(ours, theirs)
	}
}

// isKiCadBoard reports whether the board is KiCad's own file rather than its plot.
func isKiCadBoard(b *pcb.Board) bool {
	for _, l := range b.Copper() {
		return strings.EqualFold(path.Ext(l.File), ".kicad_pcb")
	}
	return false
}
