package upload

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"
	"unicode/utf8"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
)

// readOrderFile reads the file that states how the board is ordered, unless it is the one that
// was read before; nil where there is none. What it says is for those who quote.
func (s *Service) readOrderFile(ctx context.Context, files []uploads.File, before *uploads.OrderFile) (*uploads.OrderFile, error) {
	f, other, ok := uploads.FindOrderFile(files)
	if !ok {
		return nil, nil
	}
	read := &uploads.OrderFile{Name: f.Name, Key: f.Key}
	if other != "" {
		read.Problem = fmt.Sprintf("There are several, %q and %q, and none above them: which board is meant is not known. Send the folder of one board, or one such file at the top.", f.Name, other)
		return read, nil
	}
	if before != nil && before.Key == f.Key && before.Name == f.Name && before.Problem == "" {
		return before, nil
	}
	if f.Size > uploads.MaxOrderFile {
		read.Problem = fmt.Sprintf("It may have up to %d kB.", uploads.MaxOrderFile>>10)
		return read, nil
	}
	text, err := s.readFile(ctx, f)
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(text) {
		read.Problem = "It is no text in UTF-8."
		return read, nil
	}
	read.Text = string(text)
	return read, nil
}

func (s *Service) readFile(ctx context.Context, f uploads.File) ([]byte, error) {
	r, _, err := s.blobs.Get(ctx, f.Key)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", f.Key, err)
	}
	defer r.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", f.Key, err)
	}
	return text, nil
}

// maxOrderFiles bounds how many an upload may have: each is looked into.
const maxOrderFiles = 200

// refuseDeclared refuses files among which any order file declares the design ITAR-controlled,
// not only the one that states how the board is ordered.
func (s *Service) refuseDeclared(ctx context.Context, files []uploads.File) error {
	all := slices.DeleteFunc(slices.Clone(files), func(f uploads.File) bool { return !uploads.IsOrderFile(f.Name) })
	if len(all) > maxOrderFiles {
		return contract.Refuse(contract.TooManyFiles, "The files hold %d files %s; an upload may have %d. Send the folder of one board.", len(all), answers.OrderFileName, maxOrderFiles)
	}
	for _, f := range all {
		if f.Size > itarSearched {
			continue // is refused when a price is asked for
		}
		text, err := s.readFile(ctx, f)
		if err != nil {
			return err
		}
		if !itar.DeclaresInFile(text) {
			continue
		}
		return contract.Refuse(contract.ITARNotSupported, "%s among the files declares the design ITAR-controlled. Such designs cannot be ordered here; the files have been deleted.", answers.OrderFileName)
	}
	return nil
}

// itarSearched is up to which size a declaration is looked for: a multiple of what an order
// file may have.
const itarSearched = 1 << 20

// readOutcome is how long whoever sent files has to be told that they were refused, before
// all that tells of the design goes.
const readOutcome = 10 * time.Second

// endDeclared ends an upload since files that were to be added to it declare it. Its account
// can use it no more from now on; what there is of it is erased a moment later.
func (s *Service) endDeclared(ctx context.Context, c contract.Command, u uploads.Upload) error {
	if u.Status != uploads.Open {
		return nil
	}
	err := s.mark(ctx, c, u.Ref, uploads.EventClosedTo, func(u *uploads.Upload) bool { return closeUpload(u, c.Account) })
	if err != nil {
		return err
	}
	due := s.now().Add(readOutcome)
	declare, err := c.Follow(uploads.DeclareITAR, "files", due, uploads.Data{Ref: u.Ref})
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{Aggregate: contract.UploadAggregate, AggregateID: u.Ref, What: "declare", Due: due, Command: declare})
}
