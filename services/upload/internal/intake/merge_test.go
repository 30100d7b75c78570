package intake

import (
	"strings"
	"testing"

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

func textOf(list []uploads.File) string {
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
		if got := textOf(merge(tt.old, tt.added)); got != tt.want {
			t.Errorf("%s: %q and %q make %q, want %q", rule, textOf(tt.old), textOf(tt.added), got, tt.want)
		}
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
