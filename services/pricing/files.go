package pricing

import (
	"context"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// files gives what is priced: an upload, or the files of an earlier order, which are
// kept longer than the upload that they came in. They are read with the answers of the
// request, under a digest that holds these.
func (s *Service) files(ctx context.Context, c contract.Command, data quotes.PriceData) (u uploads.Brief, files boards.ReadFiles, err error) {
	if data.Digest == "" {
		u, files, err = s.readUpload(ctx, c, data.Upload, data.Request, data.Request.Describe())
	} else {
		u, files, err = s.orderFiles(ctx, c, data)
	}
	return u, files, err
}

// readUpload gives an upload, read with the answers of a request; requested says in a sentence
// what was asked for.
func (s *Service) readUpload(ctx context.Context, c contract.Command, ref string, r quotes.Request, requested string) (uploads.Brief, boards.ReadFiles, error) {
	u, err := s.usableUpload(ctx, c.Account, ref)
	if err != nil {
		return u, boards.ReadFiles{}, err
	}
	var fileAnswers *answers.FileAnswers
	var refused []answers.Refused // the files are read without these, so that all that is wrong is said at once
	if !r.FileAnswers.Empty() {
		if fileAnswers, refused, err = resolveAnswers(u, r.FileAnswers); err != nil {
			return u, boards.ReadFiles{}, err
		}
		u.Digest = boards.DigestWithAnswers(u.Digest, fileAnswers)
	}
	files, err := s.readFiles(ctx, c, requested, u, fileAnswers)
	if len(refused) > 0 {
		files.Refused = refused
	}
	return u, files, err
}

// resolveAnswers gives the answers about an upload's files. Those that name none of them are
// refused, and then there are none.
func resolveAnswers(u uploads.Brief, a *answers.FileAnswers) (*answers.FileAnswers, []answers.Refused, error) {
	files, err := filesOf(u)
	if err != nil {
		return nil, nil, err
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	fileAnswers, refused := a.Resolve(names)
	if len(refused) > 0 {
		return nil, refused, nil
	}
	return fileAnswers, nil, nil
}

// orderFiles gives the files of an earlier order as they were read for it; with other
// answers, as long as their upload is there to be read anew.
func (s *Service) orderFiles(ctx context.Context, c contract.Command, data quotes.PriceData) (uploads.Brief, boards.ReadFiles, error) {
	u := uploads.Brief{Ref: data.Upload, Digest: data.Digest}
	now, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Upload).Load(ctx)
	if err == nil && now.State.IsDeclaredFor(c.Account) {
		err = contract.Refuse(contract.ITARNotSupported, "This design was declared ITAR-controlled and cannot be ordered here.")
	}
	if err != nil {
		return u, boards.ReadFiles{}, err
	}
	files, ok, err := s.loadReading(ctx, data.Digest)
	if err == nil && !ok {
		err = refuseExpired()
	}
	if err != nil {
		return u, files, err
	}
	names := make([]string, len(files.Files))
	for i, f := range files.Files {
		names[i] = f.Name
	}
	fileAnswers, refused := data.Request.FileAnswers.Resolve(names)
	if len(refused) > 0 {
		return u, files, boards.RefuseAnswers(refused)
	}
	u.Digest = boards.DigestWithAnswers(boards.FilesDigest(data.Digest), fileAnswers)
	if u.Digest == data.Digest {
		return u, files, nil
	}
	return s.rereadOrderFiles(ctx, c, data, u, fileAnswers)
}

func (s *Service) rereadOrderFiles(ctx context.Context, c contract.Command, data quotes.PriceData, u uploads.Brief, fileAnswers *answers.FileAnswers) (uploads.Brief, boards.ReadFiles, error) {
	files, ok, err := s.loadReading(ctx, u.Digest)
	if err != nil || ok {
		return u, files, err
	}
	up, err := s.usableUpload(ctx, c.Account, data.Upload)
	if contract.RefusalIn(err) != nil || err == nil && up.Digest != boards.FilesDigest(u.Digest) {
		return u, files, refuseExpired() // other answers need the files themselves
	}
	if err != nil {
		return u, files, err
	}
	up.Digest = u.Digest
	files, err = s.readFiles(ctx, c, data.Request.Describe(), up, fileAnswers)
	return up, files, err
}
