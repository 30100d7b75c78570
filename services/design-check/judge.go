package designcheck

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/trace"
	"boardorder/services/design-check/internal/fab"
	"boardorder/services/design-check/internal/reading"
	"boardorder/services/design-check/internal/report"

	"go.uber.org/zap"
)

// judging measures one board, in a worker.
type judging struct {
	*maker
	fabs   *fab.Fabs
	second func(*pcb.Board) func(*dfm.Report)
}

// measure reads the files, measures the board that was asked for, and draws what
// it found. When the time is up it answers with what it has.
func (j *judging) measure(ctx context.Context, check designchecks.DesignCheck, step func(designchecks.DesignCheck)) (designchecks.DesignCheck, error) {
	check.Step = "Reading the design files."
	n := newProgress(check, step)
	defer n.stop()
	project := upload.Read(ctx, j.files, upload.Options{Answers: j.answers})
	if len(project.Refused) > 0 {
		return check, boards.RefuseAnswers(project.Refused)
	}
	check.Files = reading.Files(project.Files)
	b, err := boardOf(project, check.Board)
	if err != nil && ctx.Err() != nil {
		err = contract.Refuse(contract.DesignFiles, "The design files could not be read in time. Send fewer of them, or the board alone.")
	}
	if err != nil {
		return check, err
	}
	check.Board, check.Known = b.Name, boards.LayersAndSize(boardFile(b))
	check.Findings, check.MoreFindings = report.List(report.FileFindings(project, b, nil))
	check.Step = "Measuring copper, holes, solder mask, silkscreen and outline."
	n.set(check)
	join := j.second(b)
	found := j.run(ctx, b, check, func(done, of int) {
		now := check
		now.Step = fmt.Sprintf("Measuring: %d of %d parts of the check are done.", done, of)
		n.set(now)
	})
	join(found)
	n.stop()
	return j.conclude(ctx, project, b, check, found), nil
}

// boardOf chooses among the boards that were read.
func boardOf(p *pcb.Project, requested string) (*pcb.Board, error) {
	read := boards.ReadFiles{Files: reading.Files(p.Files), Findings: reading.Findings(p.Findings)}
	for _, b := range p.Boards {
		read.Boards = append(read.Boards, boardFile(b))
	}
	name, err := chooseBoard(read, requested)
	if err != nil {
		return nil, err
	}
	return p.Board(name), nil
}

func boardFile(b *pcb.Board) boards.Board {
	return boards.Board{Name: b.Name, Facts: reading.Facts(b.Facts)}
}

// run measures. What breaks down is for our log; the report names it unchecked.
func (j *judging) run(ctx context.Context, b *pcb.Board, request designchecks.DesignCheck, progress func(done, of int)) *dfm.Report {
	build := buildOf(request)
	found, err := check.Run(ctx, b, dfm.Options{
		Limits: j.fabs.Limits(b.Facts, build), Reach: j.fabs.Reach(b.Facts, build),
		Thickness: build.Thickness, CopperOz: build.CopperOz, Progress: progress,
	})
	if err != nil {
		j.log.Warn("a check was not finished", zap.String("check", request.ID), zap.Error(err), trace.ID(ctx))
	}
	for _, fault := range found.Faults {
		j.log.Error("a rule broke down", zap.String("check", request.ID), zap.Error(fault), trace.ID(ctx))
	}
	return found
}

func buildOf(check designchecks.DesignCheck) fab.Build {
	return fab.Build{CopperOz: check.CopperOz, Thickness: int64(math.Round(check.ThicknessMM * float64(geom.Millimetre)))}
}

// conclude writes the report.
func (j *judging) conclude(ctx context.Context, p *pcb.Project, b *pcb.Board, d designchecks.DesignCheck, found *dfm.Report) designchecks.DesignCheck {
	measured := report.Findings(found)
	all := report.DropImplied(report.Join(measured, report.FileFindings(p, b, measured)))
	verdicts := j.fabs.Judge(found, b.Facts, buildOf(d))
	all = report.Join(all, report.Impossible(verdicts[0], all)) // the primary's is the first
	d.Findings, d.MoreFindings = report.List(all)
	d.Status = designchecks.StatusOf(all)
	d.Fabricators = report.Verdicts(verdicts)
	d.FabricatorsNote = j.fabs.Note()
	d.Assumed = report.Assumptions(d, b, found)
	j.illustrate(ctx, b, found, &d)
	return d
}

// progressEvery is how often a check that runs reports its progress.
const progressEvery = time.Second

// progress reports the latest of what is known, at most once a progressEvery.
type progress struct {
	latest      atomic.Pointer[designchecks.DesignCheck]
	quit, ended chan struct{}
	stopped     bool
}

func newProgress(first designchecks.DesignCheck, step func(designchecks.DesignCheck)) *progress {
	n := &progress{quit: make(chan struct{}), ended: make(chan struct{})}
	n.set(first)
	go n.run(step)
	return n
}

func (n *progress) set(d designchecks.DesignCheck) { n.latest.Store(&d) }

func (n *progress) run(step func(designchecks.DesignCheck)) {
	defer close(n.ended)
	t := time.NewTicker(progressEvery)
	defer t.Stop()
	for reported := ""; ; {
		select {
		case <-n.quit:
			return
		case <-t.C:
			if d := n.latest.Load(); d.Step != reported {
				reported = d.Step
				step(*d)
			}
		}
	}
}

// stop returns when nothing more will be reported.
func (n *progress) stop() {
	if !n.stopped {
		n.stopped = true
		close(n.quit)
	}
	<-n.ended
}
