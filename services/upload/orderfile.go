package upload

import (
	"context"
	"fmt"
	"io"
	"unicode/utf8"

	"boardorder/pkg/contract/uploads"
)

// readOrderFile reads the file that states how the board is ordered, unless it is the one that
// was read before; nil where there is none. What it says is for those who quote.
func (s *Service) readOrderFile(ctx context.Context, files []uploads.File, before *uploads.OrderFile) (*uploads.OrderFile, error) {
	f, ok := uploads.FindOrderFile(files)
	if !ok {
		return nil, nil
	}
	if before != nil && before.Key == f.Key && before.Name == f.Name {
		return before, nil
	}
	read := &uploads.OrderFile{Name: f.Name, Key: f.Key}
	if f.Size > uploads.MaxOrderFile {
		read.Problem = fmt.Sprintf("It may have up to %d kB.", uploads.MaxOrderFile>>10)
		return read, nil
	}
	r, _, err := s.blobs.Get(ctx, f.Key)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", f.Key, err)
	}
	defer r.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("file %s: %w", f.Key, err)
	}
	if !utf8.Valid(text) {
		read.Problem = "It is no text in UTF-8."
		return read, nil
	}
	read.Text = string(text)
	return read, nil
}
