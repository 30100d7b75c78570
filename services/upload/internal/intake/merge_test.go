package intake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
)

// files are written "archive:name=hash"; the archive of a file that came by itself is left out.
func files(list ...string) (out []uploads.File) {
	for _, text := range list {
		from, rest, ok := strings.Cut(text, ":")
		if !ok {
			from, rest = "", text
		}
		name, hash, _ := strings.Cut(rest, "=")
		out = append(out, uploads.File{Name: name, SHA256: hash, From: from})
	}
	return out
}

func written(list []uploads.File) string {
	var out []string
	for _, f := range list {
		text := f.Name + "=" + f.SHA256
		if f.From != "" {
			text = f.From + ":" + text
		}
		out = append(out, text)
	}
	return strings.Join(out, " ")
}

// TestMerge: what is sent again replaces what it was, and a file of one archive never that of
// another: then all of the newer archive goes into a folder of its name.
func TestMerge(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		old, added []uploads.File
		want       string
	}{
		"nothing":                            {nil, nil, ""},
		"in the order of their names":        {files("b=1"), files("a=2", "c=3"), "a=2 b=1 c=3"},
		"sent again":                         {files("a=1", "b=1"), files("a=2"), "a=2 b=1"},
		"an archive sent again":              {files("x.zip:a=1", "x.zip:b=1"), files("x.zip:a=2"), "x.zip:a=2 x.zip:b=1"},
		"a file in place of an archive's":    {files("x.zip:a=1"), files("a=2"), "a=2"},
		"an archive's in place of a file":    {files("a=1"), files("x.zip:a=2"), "x.zip:a=2"},
		"another archive's":                  {files("x.zip:a=1"), files("y.zip:a=2", "y.zip:b=2"), "x.zip:a=1 y.zip:y/a=2 y.zip:y/b=2"},
		"both at once":                       {nil, files("x.zip:a=1", "y.zip:b=2", "y.zip:a=2"), "x.zip:a=1 y.zip:y/a=2 y.zip:y/b=2"},
		"no file in common":                  {files("x.zip:a=1"), files("y.zip:b=2"), "x.zip:a=1 y.zip:b=2"},
		"the other archive again":            {files("x.zip:a=1", "y.zip:y/a=2"), files("y.zip:a=3"), "x.zip:a=1 y.zip:y/a=3"},
		"an archive in a folder":             {files("x.zip:a=1"), files("sub/y.tar.gz:a=2"), "x.zip:a=1 sub/y.tar.gz:y.tar/a=2"},
		"archives that differ in their ends": {files("x.zip:a=1"), files("y.zip:a=2", "y.7z:a=3"), "x.zip:a=1 y.7z:y.7z/a=3 y.zip:y/a=2"},
		"and are sent again":                 {files("x.zip:a=1", "y.7z:y.7z/a=3", "y.zip:y/a=2"), files("y.7z:a=4"), "x.zip:a=1 y.7z:y.7z/a=4 y.zip:y/a=2"},
		"a folder that another archive has":  {files("x.zip:a=1", "x.zip:y/a=1"), files("y.zip:a=2"), "x.zip:a=1 y.zip:y.zip/a=2 x.zip:y/a=1"},
	} {
		if got := written(merge(tt.old, tt.added)); got != tt.want {
			t.Errorf("%s: %q and %q make %q, want %q", rule, written(tt.old), written(tt.added), got, tt.want)
		}
	}
}

// TestLimits: each limit of an upload, at it and beyond it.
func TestLimits(t *testing.T) {
	t.Parallel()
	received := func(n int, size int64) []uploads.Received {
		return slices.Repeat([]uploads.Received{{Size: size}}, n)
	}
	unpacked := func(n int, size int64) (out []uploads.File) {
		for i := range n {
			out = append(out, uploads.File{Name: fmt.Sprint(i), Size: size})
		}
		return out
	}
	for rule, tt := range map[string]struct {
		before, received []uploads.Received
		files            []uploads.File
		want             contract.Code
	}{
		"nothing":                    {nil, nil, nil, ""},
		"as many files as are taken": {received(19, 1), received(1, 1), nil, ""},
		"one more":                   {received(20, 1), received(1, 1), nil, contract.TooManyFiles},
		"as large a file":            {nil, received(1, uploads.MaxFileBytes), nil, ""},
		"a byte more":                {nil, received(1, uploads.MaxFileBytes+1), nil, contract.UploadTooLarge},
		"as much in all":             {received(1, uploads.MaxFileBytes), received(1, uploads.MaxFileBytes), nil, ""},
		"a byte more in all":         {received(2, uploads.MaxFileBytes), received(1, 1), nil, contract.UploadTooLarge},
		"as many files in archives":  {nil, received(1, 1), unpacked(uploads.MaxUnpackedFiles, 1), ""},
		"one more in archives":       {nil, received(1, 1), unpacked(uploads.MaxUnpackedFiles+1, 1), contract.UploadTooLarge},
		"as much in archives":        {nil, received(1, 1), unpacked(5, uploads.MaxUnpackedBytes/5), ""},
		"a byte more in archives":    {nil, received(1, 1), append(unpacked(5, uploads.MaxUnpackedBytes/5), uploads.File{Name: "last", Size: 1}), contract.UploadTooLarge},
	} {
		u, err := Add(uploads.Upload{Ref: "u", Received: tt.before}, tt.received, Batch{Files: tt.files}, time.Time{}, time.Hour)
		code := contract.Code("")
		if r, ok := errors.AsType[*contract.Refusal](err); ok {
			code = r.Code
		}
		if code != tt.want || err != nil && code == "" {
			t.Errorf("%s: %d files in %d archives: %v, want %q", rule, len(u.Files), len(u.Received), err, tt.want)
		}
	}
}

// TestAdd: an upload that grows has a new content, knows the one before, and is kept anew from its
// last file; the upload that was given is not changed.
func TestAdd(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	first, err := Add(uploads.Upload{Ref: "u"}, []uploads.Received{{Name: "a", Size: 1}}, Batch{Files: files("a=1"), LeftOut: []uploads.LeftOut{{Name: "x"}}}, at, 6*time.Hour)
	if err != nil || first.Content == "" || len(first.Earlier) > 0 || !first.LastFileAt.Equal(at) || !first.ExpiresAt.Equal(at.Add(6*time.Hour)) {
		t.Fatalf("a first file: %+v, %v; want a content, none before, kept for six hours", first, err)
	}
	second, err := Add(first, []uploads.Received{{Name: "b", Size: 1}}, Batch{Files: files("b=1"), LeftOut: []uploads.LeftOut{{Name: "y"}}}, at.Add(time.Hour), 6*time.Hour)
	if err != nil || second.Content == first.Content || second.Digest == first.Digest || !slices.Equal(second.Earlier, []string{first.Content}) || len(second.Received) != 2 || len(second.LeftOut) != 2 || !second.ExpiresAt.Equal(at.Add(7*time.Hour)) {
		t.Errorf("a second file: %+v, %v; want another content after %q, kept for six hours from it", second, err, first.Content)
	}
	if len(first.Received) != 1 || len(first.LeftOut) != 1 || written(first.Files) != "a=1" {
		t.Errorf("the upload before has become %+v, want what it was", first)
	}
	same, err := Add(second, []uploads.Received{{Name: "b", Size: 1}}, Batch{Files: files("b=1")}, at, time.Hour)
	if err != nil || same.Content != second.Content || same.Digest != second.Digest {
		t.Errorf("the same file again: content %q, %v; want %q", same.Content, err, second.Content)
	}
}

// TestRefusals: what is refused is named by file, by member and by a problem that clients can tell.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		refusal        *contract.Refusal
		code           contract.Code
		field, problem string
		words          string
	}{
		"a damaged archive":         {refusal(&archive.Error{Code: archive.Damaged, Archive: "a.zip", Reason: "is cut off"}), contract.UnreadableArchive, "a.zip", string(archive.Damaged), "The archive is cut off."},
		"a member of it":            {refusal(&archive.Error{Code: archive.Damaged, Archive: "a.zip", Member: "b/c.gbr", Reason: "is cut off"}), contract.UnreadableArchive, "a.zip!/b/c.gbr", string(archive.Damaged), "The member is cut off."},
		"one that is too large":     {refusal(&archive.Error{Code: archive.TooLarge, Archive: "a.zip", Reason: "is too large"}), contract.UploadTooLarge, "a.zip", string(archive.TooLarge), "The archive is too large."},
		"no archive":                {refuseNonArchive("a.zip"), contract.UnreadableArchive, "a.zip", string(archive.NotArchive), "This is no archive"},
		"a file of malware":         {refuseFile("a.exe", "holds malware"), contract.InvalidRequest, "a.exe", "not_allowed", "holds malware"},
		"one that takes memory":     {refuseHardArchive("a.7z", worker.ErrMemory), contract.UploadTooLarge, "a.7z", string(archive.TooLarge), "The archive takes too much memory to unpack: pack it as an ordinary .zip."},
		"one that takes time":       {refuseHardArchive("a.7z", worker.ErrTime), contract.UploadTooLarge, "a.7z", string(archive.TooLarge), "The archive takes too long to unpack: pack it as an ordinary .zip."},
		"one that a worker died of": {refuseHardArchive("a.7z", worker.ErrDied), contract.UnreadableArchive, "a.7z", string(archive.Damaged), "The archive cannot be unpacked: pack it as an ordinary .zip."},
	} {
		f := tt.refusal.Fields[0]
		if tt.refusal.Code != tt.code || f.Field != tt.field || f.Problem != tt.problem || !strings.HasPrefix(f.Message, tt.words) {
			t.Errorf("%s: %s of %+v; want %s of %q, %s, %q", rule, tt.refusal.Code, f, tt.code, tt.field, tt.problem, tt.words)
		}
	}
}
