package intake

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
)

// Add gives an upload with more files. A file of a name that is there replaces
// it. A batch that would make the upload too large is refused as a whole.
func Add(u uploads.Upload, received []uploads.Received, b Batch, at time.Time, keep time.Duration) (uploads.Upload, error) {
	u.Received = append(slices.Clone(u.Received), received...)
	if err := checkLimits(u.Received); err != nil {
		return u, err
	}
	u.Files = merge(u.Files, b.Files)
	u.LeftOut = append(slices.Clone(u.LeftOut), b.LeftOut...)
	if err := checkUnpackedLimits(u.Files); err != nil {
		return u, err
	}
	if u.Content != "" {
		u.Earlier = append(slices.Clone(u.Earlier), u.Content)
	}
	u.Content = uploads.ContentOf(u.Files)
	u.Digest = boards.Digest(u.Ref, u.Content)
	u.LastFileAt, u.ExpiresAt = at, at.Add(keep)
	return u, nil
}

func checkLimits(received []uploads.Received) error {
	if n := len(received); n > uploads.MaxFiles {
		return contract.Refuse(contract.TooManyFiles, "An upload takes up to %d files; this would make %d.", uploads.MaxFiles, n)
	}
	var sum int64
	for _, r := range received {
		if sum += r.Size; r.Size > uploads.MaxFileBytes {
			return contract.Refuse(contract.UploadTooLarge, "A file may have up to %d MB.", uploads.MaxFileBytes>>20)
		}
	}
	if sum > uploads.MaxBytes {
		return contract.Refuse(contract.UploadTooLarge, "An upload takes up to %d MB in all.", uploads.MaxBytes>>20)
	}
	return nil
}

func checkUnpackedLimits(files []uploads.File) error {
	var sum int64
	for _, f := range files {
		sum += f.Size
	}
	if sum > uploads.MaxUnpackedBytes || len(files) > uploads.MaxUnpackedFiles {
		return contract.Refuse(contract.UploadTooLarge, "Unpacked, the upload may hold up to %d files and %d MB.",
			uploads.MaxUnpackedFiles, uploads.MaxUnpackedBytes>>20)
	}
	return nil
}

// merge puts new files among old ones, in order of name. Two archives may hold
// files of the same name that are two boards' and no replacement: then the
// newer one's files go into a folder named after their archive.
func merge(old, added []uploads.File) []uploads.File {
	byName := make(map[string]uploads.File, len(old)+len(added))
	for _, f := range old {
		byName[f.Name] = f
	}
	for _, f := range renameClashes(byName, added) {
		byName[f.Name] = f
	}
	files := make([]uploads.File, 0, len(byName))
	for _, f := range byName {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b uploads.File) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// renameClashes renames the files of each archive that clashes with another archive's.
func renameClashes(there map[string]uploads.File, added []uploads.File) []uploads.File {
	owner := make(map[string]string, len(there)+len(added))
	for name, f := range there {
		owner[name] = f.From
	}
	clashes := map[string]bool{}
	for _, f := range added {
		if from, ok := owner[f.Name]; ok && f.From != "" && from != "" && from != f.From {
			clashes[f.From] = true
			continue
		}
		owner[f.Name] = f.From
	}
	out := slices.Clone(added)
	folders := map[string]string{}
	for i, f := range out {
		if !clashes[f.From] {
			continue
		}
		if folders[f.From] == "" {
			folders[f.From] = folderOf(f.From, owner)
		}
		out[i].Name = folders[f.From] + "/" + f.Name
		owner[out[i].Name] = f.From
	}
	return out
}

// folderOf is where the files of an archive go that has a file in common with another: a folder
// of the archive's name, with its ending where another archive's files are there without.
func folderOf(archive string, owner map[string]string) string {
	base := path.Base(archive)
	folder := strings.TrimSuffix(base, path.Ext(base))
	for name, from := range owner {
		if from != archive && strings.HasPrefix(name, folder+"/") {
			return base
		}
	}
	return folder
}
