package intake_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob/folder"
	"boardorder/pkg/board/archive"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
	"boardorder/services/upload/internal/intake"
	"boardorder/services/upload/internal/scan"

	"github.com/google/go-cmp/cmp"
)

// crew are workers that do in this process what a test says, once for each run.
type crew struct {
	runs []func(worker.Order) error
	ran  int
}

func (c *crew) Run(_ context.Context, o worker.Order) error {
	c.ran++
	if len(c.runs) == 0 {
		return errors.New("nobody expected an archive")
	}
	run := c.runs[min(c.ran, len(c.runs))-1]
	return run(o)
}

// puts gives members and then ends with an error, or none.
func puts(err error, members ...string) func(worker.Order) error {
	return func(o worker.Order) error {
		for _, m := range members {
			if err := o.Put(m, "", strings.NewReader("content of "+m)); err != nil {
				return err
			}
		}
		return err
	}
}

// scanner finds what a test says in everything.
type scanner struct {
	found string
	err   error
}

func (s scanner) Scan(context.Context, io.Reader) (string, error) { return s.found, s.err }

const zip = "PK\x03\x04 rest of an archive"

// TestUnpack: what each staged file turns out to be: itself, what is in it, left out, or a
// refusal that names it.
func TestUnpack(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files   [][2]string // name, content
		runs    []func(worker.Order) error
		scanner intake.Scanner
		want    []string // names of files, "archive: name" of members
		left    []string
		refused string // field and problem
		fails   error
		ran     int
	}{
		"a file":                          {files: [][2]string{{"a.gbr", "G04*"}}, want: []string{"a.gbr"}},
		"two files":                       {files: [][2]string{{"a.gbr", "1"}, {"b.gbr", "2"}}, want: []string{"a.gbr", "b.gbr"}},
		"an empty file":                   {files: [][2]string{{"a.gbr", ""}}, want: []string{"a.gbr"}},
		"an archive":                      {files: [][2]string{{"a.zip", zip}}, runs: []func(worker.Order) error{puts(nil, "x.gbr", "y.gbr")}, want: []string{"a.zip: x.gbr", "a.zip: y.gbr"}, ran: 1},
		"an archive by content":           {files: [][2]string{{"a.bin", zip}}, runs: []func(worker.Order) error{puts(nil, "x.gbr")}, want: []string{"a.bin: x.gbr"}, ran: 1},
		"an archive by name only":         {files: [][2]string{{"a.zip", "hello"}}, refused: "a.zip not_archive"},
		"a picture by name only":          {files: [][2]string{{"a.gbr", "\x7fELF\x02\x01\x01"}}, want: nil, left: []string{"a.gbr"}},
		"a worker that was killed once":   {files: [][2]string{{"a.zip", zip}}, runs: []func(worker.Order) error{puts(worker.ErrDied, "x.gbr"), puts(nil, "x.gbr")}, want: []string{"a.zip: x.gbr"}, ran: 2},
		"a worker that is killed twice":   {files: [][2]string{{"a.zip", zip}}, runs: []func(worker.Order) error{puts(worker.ErrDied)}, refused: "a.zip damaged", ran: 2},
		"too much memory":                 {files: [][2]string{{"a.zip", zip}}, runs: []func(worker.Order) error{puts(worker.ErrMemory)}, refused: "a.zip too_large", ran: 1},
		"too much time":                   {files: [][2]string{{"a.zip", zip}}, runs: []func(worker.Order) error{puts(worker.ErrTime)}, refused: "a.zip too_large", ran: 1},
		"a member that leads out":         {files: [][2]string{{"a.zip", zip}}, runs: []func(worker.Order) error{puts(nil, "../../etc/passwd")}, fails: errAny, ran: 1},
		"malware":                         {files: [][2]string{{"a.gbr", "x"}}, scanner: scanner{found: "Eicar"}, refused: "a.gbr not_allowed"},
		"too large to be scanned":         {files: [][2]string{{"a.gbr", "x"}}, scanner: scanner{err: scan.ErrTooLarge}, refused: "a.gbr not_allowed"},
		"a scanner that is away":          {files: [][2]string{{"a.gbr", "x"}}, scanner: scanner{err: errors.New("away")}, fails: intake.ErrNotScanned},
		"scanned":                         {files: [][2]string{{"a.gbr", "x"}}, scanner: scanner{}, want: []string{"a.gbr"}},
		"the second is refused, not half": {files: [][2]string{{"a.gbr", "x"}, {"b.zip", "hello"}}, refused: "b.zip not_archive"},
	} {
		store, err := folder.Open(t.TempDir(), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		workers := &crew{runs: tt.runs}
		in := intake.Intake{Blobs: store, Workers: workers, Scanner: tt.scanner}
		var staged []uploads.StagedFile
		for i, f := range tt.files {
			key := fmt.Sprintf("staging/%d", i)
			if _, err := store.Put(t.Context(), key, strings.NewReader(f[1]), int64(len(f[1])), "application/octet-stream"); err != nil {
				t.Fatal(err)
			}
			staged = append(staged, uploads.StagedFile{Name: f[0], Size: int64(len(f[1])), Key: key})
		}
		b, err := in.Unpack(t.Context(), "uploads/u/", staged)
		refused := ""
		if r := contract.RefusalIn(err); r != nil {
			refused = r.Fields[0].Field + " " + r.Fields[0].Problem
		}
		if refused != tt.refused || (err != nil) != (tt.refused != "" || tt.fails != nil) || tt.fails != nil && tt.fails != errAny && !errors.Is(err, tt.fails) || workers.ran != tt.ran {
			t.Errorf("%s: Unpack = %v, refused %q after %d runs; want %q, error %v, %d", name, err, refused, workers.ran, tt.refused, tt.fails, tt.ran)
		}
		if err != nil {
			continue
		}
		var got, left []string
		for i, f := range b.Files {
			one := f.Name
			if f.From != "" {
				one = f.From + ": " + one
			}
			got = append(got, one)
			content := "content of " + f.Name
			if f.From == "" {
				content = tt.files[i][1]
			}
			if sum := sha256.Sum256([]byte(content)); f.Size != int64(len(content)) || f.SHA256 != hex.EncodeToString(sum[:]) || f.Key != fmt.Sprintf("uploads/u/%d", i) {
				t.Errorf("%s: file %d is %+v, want %d bytes of %q under key %d", name, i, f, len(content), content, i)
			}
		}
		for _, l := range b.LeftOut {
			left = append(left, l.Name)
		}
		if !cmp.Equal(got, tt.want) || !cmp.Equal(left, tt.left) {
			t.Errorf("%s: files %q, left out %q; want %q, %q", name, got, left, tt.want, tt.left)
		}
	}
}

// errAny is any error that is no refusal.
var errAny = errors.New("any")

// TestWhatIsLost: a staged file that is not there, or is not what it was, fails and is no refusal:
// the command comes again.
func TestWhatIsLost(t *testing.T) {
	t.Parallel()
	store, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Put(t.Context(), "staging/1", strings.NewReader("abc"), 3, "text/plain"); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]uploads.StagedFile{"gone": {Name: "a", Key: "staging/0"}, "cut off": {Name: "a", Key: "staging/1", Size: 4}} {
		if _, err := (intake.Intake{Blobs: store}).Unpack(t.Context(), "uploads/u/", []uploads.StagedFile{f}); err == nil || contract.RefusalIn(err) != nil {
			t.Errorf("%s: Unpack(%+v) = %v, want an error that is no refusal", name, f, err)
		}
	}
}

func file(name, from, sum string, size int64) uploads.File {
	return uploads.File{Name: name, From: from, SHA256: sum, Size: size, Key: "k-" + sum}
}

// TestAdd: what an upload holds once more files came: a name replaces, two archives' names stand apart.
func TestAdd(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		before, added []uploads.File
		want          []string // name and digest
	}{
		"the first":                        {nil, []uploads.File{file("b.gbr", "", "1", 1), file("a.gbr", "", "2", 1)}, []string{"a.gbr 2", "b.gbr 1"}},
		"one more":                         {[]uploads.File{file("a.gbr", "", "1", 1)}, []uploads.File{file("b.gbr", "", "2", 1)}, []string{"a.gbr 1", "b.gbr 2"}},
		"the same name replaces":           {[]uploads.File{file("a.gbr", "", "1", 1)}, []uploads.File{file("a.gbr", "", "2", 1)}, []string{"a.gbr 2"}},
		"the same archive replaces":        {[]uploads.File{file("a.gbr", "x.zip", "1", 1)}, []uploads.File{file("a.gbr", "x.zip", "2", 1)}, []string{"a.gbr 2"}},
		"another archive stands apart":     {[]uploads.File{file("a.gbr", "x.zip", "1", 1)}, []uploads.File{file("a.gbr", "y.zip", "2", 1), file("c.gbr", "y.zip", "3", 1)}, []string{"a.gbr 1", "y/a.gbr 2", "y/c.gbr 3"}},
		"two archives at once":             {nil, []uploads.File{file("a.gbr", "x.zip", "1", 1), file("a.gbr", "y.zip", "2", 1)}, []string{"a.gbr 1", "y/a.gbr 2"}},
		"a file replaces an archive's":     {[]uploads.File{file("a.gbr", "x.zip", "1", 1)}, []uploads.File{file("a.gbr", "", "2", 1)}, []string{"a.gbr 2"}},
		"of an archive within a folder":    {[]uploads.File{file("a.gbr", "x.zip", "1", 1)}, []uploads.File{file("a.gbr", "in/y.tar.gz", "2", 1)}, []string{"a.gbr 1", "y.tar/a.gbr 2"}},
		"nothing clashes, nothing changes": {[]uploads.File{file("a.gbr", "x.zip", "1", 1)}, []uploads.File{file("b.gbr", "y.zip", "2", 1)}, []string{"a.gbr 1", "b.gbr 2"}},
	} {
		u := uploads.Upload{Ref: "u", Files: tt.before, Content: "before"}
		got, err := intake.Add(u, []uploads.Received{{Name: "r", Size: 1}}, intake.Batch{Files: tt.added, LeftOut: []uploads.LeftOut{{Name: "l"}}}, at, 6*time.Hour)
		if err != nil {
			t.Errorf("%s: Add = %v", name, err)
			continue
		}
		var names []string
		for _, f := range got.Files {
			names = append(names, f.Name+" "+f.SHA256)
		}
		if !cmp.Equal(names, tt.want) {
			t.Errorf("%s: the upload holds %q, want %q", name, names, tt.want)
		}
		if got.ExpiresAt != at.Add(6*time.Hour) || got.LastFileAt != at || len(got.Received) != 1 || len(got.LeftOut) != 1 || !cmp.Equal(got.Earlier, []string{"before"}) ||
			got.Content != uploads.ContentOf(got.Files) || got.Digest != boards.Digest("u", got.Content) {
			t.Errorf("%s: the upload became %+v, want six hours more, what came, and a new content beside the one before", name, got)
		}
		if len(u.Received) != 0 || len(u.LeftOut) != 0 || len(u.Earlier) != 0 {
			t.Errorf("%s: adding changed the upload itself: %+v", name, u)
		}
	}
}

// TestLimits: how many files of what size an upload takes, as sent and as unpacked, to the byte.
func TestLimits(t *testing.T) {
	t.Parallel()
	received := func(n int, size int64) (out []uploads.Received) {
		for range n {
			out = append(out, uploads.Received{Name: "r", Size: size})
		}
		return out
	}
	many := func(n int) (out []uploads.File) {
		for i := range n {
			out = append(out, file(fmt.Sprintf("f%d", i), "", "s", 1))
		}
		return out
	}
	one := received(1, 1)
	for name, tt := range map[string]struct {
		before, received []uploads.Received
		files            []uploads.File
		code             contract.Code
	}{
		"20 files":                         {nil, received(20, 1), nil, ""},
		"21 files":                         {nil, received(21, 1), nil, contract.TooManyFiles},
		"21 files in two batches":          {received(20, 1), one, nil, contract.TooManyFiles},
		"50 MB":                            {nil, received(1, 50<<20), nil, ""},
		"50 MB and a byte":                 {nil, received(1, 50<<20+1), nil, contract.UploadTooLarge},
		"100 MB in all":                    {nil, received(2, 50<<20), nil, ""},
		"100 MB and a byte in all":         {received(2, 50<<20), one, nil, contract.UploadTooLarge},
		"as much as unpacked may be":       {nil, one, []uploads.File{file("a", "", "s", uploads.MaxUnpackedBytes)}, ""},
		"a byte more":                      {nil, one, []uploads.File{file("a", "", "s", uploads.MaxUnpackedBytes-1), file("b", "", "s", 2)}, contract.UploadTooLarge},
		"as many files as unpacked may be": {nil, one, many(uploads.MaxUnpackedFiles), ""},
		"a file more":                      {nil, one, many(uploads.MaxUnpackedFiles + 1), contract.UploadTooLarge},
	} {
		_, err := intake.Add(uploads.Upload{Ref: "u", Received: tt.before}, tt.received, intake.Batch{Files: tt.files}, time.Now(), time.Hour)
		got := contract.Code("")
		if r := contract.RefusalIn(err); r != nil {
			got = r.Code
		}
		if got != tt.code || (err != nil) != (tt.code != "") {
			t.Errorf("%s: Add = %v, want %q", name, err, tt.code)
		}
	}
}

// TestTasks: archives are unpacked by a worker of this name.
func TestTasks(t *testing.T) {
	t.Parallel()
	if tasks := intake.Tasks(); len(tasks) != 1 || tasks["upload.unpack"] == nil {
		t.Errorf("Tasks() = %v, want upload.unpack", tasks)
	}
	if archive.DetectHead([]byte(zip)) == archive.None {
		t.Errorf("%q is taken for no archive, and these tests stand on that", zip)
	}
}
