package intake

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
)

// Add gives an upload with more files. A file of a name that is there replaces
// it. A batch that would make the upload too large is refused as a whole.
func Add(u contract.Upload, received []contract.Received, b Batch, at time.Time, keep time.Duration) (contract.Upload, error) {
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
	u.Content = contract.ContentOf(u.Files)
	u.Digest = contract.BoardDigest(u.Ref, u.Content)
	u.LastFileAt, u.ExpiresAt = at, at.Add(keep)
	return u, nil
}

func checkLimits(received []contract.Received) error {
	if n := len(received); n > contract.MaxUploadFiles {
		return contract.Refuse(contract.TooManyFiles, "An upload takes up to %d files; this would make %d.", contract.MaxUploadFiles, n)
	}
	var sum int64
	for _, r := range received {
		if sum += r.Size; r.Size > contract.MaxUploadFileBytes {
			return contract.Refuse(contract.UploadTooLarge, "A file may have up to %d MB.", contract.MaxUploadFileBytes>>20)
		}
	}
	if sum > contract.MaxUploadBytes {
		return contract.Refuse(contract.UploadTooLarge, "An upload takes up to %d MB in all.", contract.MaxUploadBytes>>20)
	}
	return nil
}

func checkUnpackedLimits(files []contract.UploadFile) error {
	var sum int64
	for _, f := range files {
		sum += f.Size
	}
	if sum > contract.MaxUnpackedBytes || len(files) > contract.MaxUnpackedFiles {
		return contract.Refuse(contract.UploadTooLarge, "Unpacked, the upload may hold up to %d files and %d MB.",
			contract.MaxUnpackedFiles, contract.MaxUnpackedBytes>>20)
	}
	return nil
}

// merge puts new files among old ones, in order of name. Two archives may hold
// files of the same name that are two boards' and no replacement: then the
// newer one's files go into a folder named after their archive.
func merge(old, added []contract.UploadFile) []contract.UploadFile {
	byName := make(map[string]contract.UploadFile, len(old)+len(added))
	for _, f := range old {
		byName[f.Name] = f
	}
	for _, f := range renameClashes(byName, added) {
		byName[f.Name] = f
	}
	files := make([]contract.UploadFile, 0, len(byName))
	for _, f := range byName {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b contract.UploadFile) int { return cmp.Compare(a.Name, b.Name) })
	return files
}

// renameClashes renames the files of each archive that clashes with another archive's.
func renameClashes(there map[string]contract.UploadFile, added []contract.UploadFile) []contract.UploadFile {
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
	for i, f := range out {
		if clashes[f.From] {
			out[i].Name = strings.TrimSuffix(path.Base(f.From), path.Ext(f.From)) + "/" + f.Name
		}
	}
	return out
}
