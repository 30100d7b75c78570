package designcheck

import (
	"context"
	"strconv"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
)

// check finds the check that a client asks for, or begins it. It ends at once:
// whoever waits looks at the check itself.
func (s *Service) check(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.CheckDesignData](c)
	if err != nil {
		return err
	}
	up, err := s.usableUpload(ctx, c.Account, data.Upload)
	if err != nil {
		return err
	}
	fileAnswers, err := resolveAnswers(data.Answers, up.Files)
	if refusal := contract.RefusalIn(err); refusal != nil {
		refusal.Report = designchecks.ReportOf(up.Ref, up.Digest, up.ExpiresAt, contract.CheckDesignData{Board: data.Board, CopperOz: data.CopperOz, ThicknessMM: data.ThicknessMM})
	}
	if err != nil {
		return err
	}
	id := designchecks.ID(boards.DigestWithAnswers(up.Digest, fileAnswers), data.Board, data.CopperOz, data.ThicknessMM)
	if err := s.nameCheck(ctx, c, up.Digest, id); err != nil {
		return err
	}
	begun, err := aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, id).Step(ctx, c, "start", s.now(),
		func(now aggregate.Snapshot[designchecks.DesignCheck]) (*aggregate.Change[designchecks.DesignCheck], error) {
			if now.State.Current(s.versions) && !s.isStuck(now.State) {
				return nil, nil
			}
			return &aggregate.Change[designchecks.DesignCheck]{Event: designchecks.EventStarted, State: designchecks.DesignCheck{
				ID: id, Digest: up.Digest, Board: data.Board, Answers: fileAnswers, CopperOz: data.CopperOz, ThicknessMM: data.ThicknessMM, BegunBy: s.versions,
				Status: designchecks.Running, Attempt: now.State.Attempt + 1, StartedAt: s.now(),
			}}, nil
		})
	if err != nil {
		return err
	}
	if begun.State.Status == designchecks.Running {
		if err := s.askToMeasure(ctx, c, begun.State, up); err != nil {
			return err
		}
	}
	return aggregate.At[designchecks.DesignCheck](s.events, contract.DesignCheckAggregate, id).Complete(ctx, c, s.now())
}

// resolveAnswers gives the answers about an upload's files, or refuses those that name none of
// them.
func resolveAnswers(a *answers.FileAnswers, files []uploads.File) (*answers.FileAnswers, error) {
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	fileAnswers, refused := a.Resolve(names)
	if len(refused) > 0 {
		return nil, boards.RefuseAnswers(refused)
	}
	return fileAnswers, nil
}

// isStuck reports whether a check has run for so long that nobody can be at it any
// more: its command has ended among the dead letters.
func (s *Service) isStuck(d designchecks.DesignCheck) bool {
	return d.Status == designchecks.Running && s.now().Sub(d.StartedAt) > s.cfg.CheckGivenUp
}

// askToMeasure sends the same command for the same attempt, whoever asks.
func (s *Service) askToMeasure(ctx context.Context, c contract.Command, d designchecks.DesignCheck, up uploads.Upload) error {
	ask, err := c.Follow(designchecks.Measure, d.ID, s.now(), designchecks.MeasureData{
		Check: d.ID, Attempt: d.Attempt, Upload: up.Ref, Files: up.Files,
	})
	if err != nil {
		return err
	}
	ask.ID = contract.DeriveID("measure", d.ID, strconv.Itoa(d.Attempt), d.StartedAt.Format(time.RFC3339Nano))
	return s.events.Send(ctx, ask)
}

func (s *Service) usableUpload(ctx context.Context, account, ref string) (uploads.Upload, error) {
	snap, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, ref).Load(ctx)
	if err != nil {
		return uploads.Upload{}, err
	}
	u := snap.State
	switch {
	case !snap.Exists():
		return u, contract.Refuse(contract.UploadNotFound, "There is no such upload.")
	case u.IsDeclaredFor(account):
		return u, contract.Refuse(contract.ITARNotSupported, "This upload was declared ITAR-controlled and cannot be used.")
	case u.Status != uploads.Open || !s.now().Before(u.ExpiresAt):
		return u, contract.Refuse(contract.UploadExpired, "The files of this upload have been deleted. Please upload them again.")
	case len(u.Files) == 0:
		return u, contract.Refuse(contract.NoFiles, "This upload holds no files yet.")
	}
	return u, nil
}

// priorRefusal gives the refusal of what cannot be checked, and what the files were taken
// for, where they are read already. Before that, measuring finds out.
func (s *Service) priorRefusal(ctx context.Context, d designchecks.DesignCheck) ([]boards.FileClass, error) {
	read, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, boards.DigestWithAnswers(d.Digest, d.Answers)).Load(ctx)
	if err != nil || !current(read) {
		return nil, err
	}
	_, err = chooseBoard(read.State, d.Board)
	return read.State.Files, err
}

// chooseBoard takes the board that was named, or the only one.
func chooseBoard(read boards.ReadFiles, requested string) (string, error) {
	if len(read.Boards) == 0 {
		return "", boards.RefuseBoardless(read.Findings)
	}
	choices := make([]any, len(read.Boards))
	for i, b := range read.Boards {
		choices[i] = b.Name
	}
	named, ok := read.BoardNamed(requested)
	switch {
	case ok:
		return named.Name, nil
	case requested != "":
		refusal := contract.Refuse(contract.InvalidRequest, "The upload holds no board of that name.")
		refusal.Fields = []contract.FieldProblem{{Field: "board", Problem: "unknown", Message: refusal.Message, Allowed: choices}}
		return "", boards.AddSizes(refusal, boards.Board{}, read.Boards)
	case len(read.Boards) > 1:
		refusal := contract.Refuse(contract.NeedsDetails, "The upload holds several boards: say which one to check.")
		refusal.Questions = []contract.Question{{Option: "board", Question: "Which board shall be checked?", Choices: choices}}
		return "", boards.AddSizes(refusal, boards.Board{}, read.Boards)
	}
	return read.Boards[0].Name, nil
}
