package upload

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/uploads"
)

// begin is an upload before its first files are in: empty, or with those of the upload that
// it begins with.
func (s *Service) begin(ctx context.Context, c contract.Command, data uploads.AddFilesData) (uploads.Upload, error) {
	u := s.empty(c, data.Ref)
	if data.Base == "" {
		return u, nil
	}
	snap, err := aggregate.At[uploads.Upload](s.events, contract.UploadAggregate, data.Base).Load(ctx)
	if err != nil {
		return u, err
	}
	base := snap.State
	if snap.Exists() && base.Account != c.Account || base.IsDeclaredFor(c.Account) {
		return u, contract.Refuse(contract.UploadNotFound, "There is no such upload.")
	}
	if err := s.open(snap, true); err != nil {
		return u, err
	}
	for _, r := range base.Received {
		replaced := slices.ContainsFunc(data.Files, func(f uploads.StagedFile) bool { return f.Name == r.Name })
		if !replaced {
			u.Received = append(u.Received, r)
		}
	}
	u.Files, u.LeftOut = base.Files, base.LeftOut
	// What is known of the earlier files holds for these as well.
	u.Content, u.Earlier, u.Doubted = base.Content, base.Earlier, base.Doubted
	for _, key := range duplicates.Keys(contents(u)) {
		if err := s.events.NoteDuplicate(ctx, contract.UploadAggregate, key, u.Ref); err != nil {
			return u, err
		}
	}
	return u, nil
}

// copyFiles gives files with those of another upload copied to this one's, below prefix: each
// upload deletes its own.
func (s *Service) copyFiles(ctx context.Context, ref, prefix string, files []uploads.File) ([]uploads.File, error) {
	own := uploads.Prefix + ref + "/"
	out := slices.Clone(files)
	for i, f := range out {
		if strings.HasPrefix(f.Key, own) {
			continue
		}
		out[i].Key = fmt.Sprintf("%sbase-%d", prefix, i)
		if err := s.copyFile(ctx, f, out[i].Key); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Service) copyFile(ctx context.Context, f uploads.File, to string) error {
	r, _, err := s.blobs.Get(ctx, f.Key)
	if err != nil {
		return fmt.Errorf("file %s: %w", f.Key, err)
	}
	defer r.Close() //nolint:errcheck // read only
	if _, err := s.blobs.Put(ctx, to, r, f.Size, "application/octet-stream"); err != nil {
		return fmt.Errorf("copy of %s: %w", f.Key, err)
	}
	return nil
}
