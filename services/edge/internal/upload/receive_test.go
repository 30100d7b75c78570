package upload

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/problem"

	"github.com/google/go-cmp/cmp"
)

func store(t testing.TB) *folder.Store {
	t.Helper()
	s, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func keys(t testing.TB, s blob.Store) int {
	t.Helper()
	n := 0
	for _, err := range s.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

const kind = "multipart/form-data; boundary=b"

func formPart(disposition, content string) string {
	return "--b\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n"
}

func TestReceive(t *testing.T) {
	t.Parallel()
	s := store(t)
	r := Receiver{Blobs: s, Limits: DefaultLimits(), Now: time.Now}
	body := formPart(`name="files"; filename="a"`, "one") + formPart(`name="note"`, "x") + formPart(`name="files"; filename="b"`, "") + "--b--\r\n"
	got, err := r.Receive(t.Context(), kind, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("one"))
	if len(got.Files) != 2 || got.Files[0].Name != "a" || got.Files[0].Size != 3 || got.Files[0].SHA256 != hex.EncodeToString(sum[:]) ||
		!strings.HasPrefix(got.Files[0].Key, "staging/") || got.Files[1].Size != 0 || len(got.Notes) != 1 {
		t.Errorf("Receive = %+v, want a of 3 bytes with its digest, in staging, an empty one, one note", got)
	}
	stored, _, err := s.Get(t.Context(), got.Files[0].Key)
	if err != nil {
		t.Fatal(err)
	}
	defer stored.Close()
	if data, _ := io.ReadAll(stored); string(data) != "one" {
		t.Errorf("stored %q, want %q", data, "one")
	}
	r.Discard(got.Files)
	if n := keys(t, s); n != 0 {
		t.Errorf("%d blobs left, want none", n)
	}
}

func TestReceiveLeavesNothingWhenItRefuses(t *testing.T) {
	t.Parallel()
	ok := formPart(`name="files"; filename="a"`, "one")
	for name, tt := range map[string]struct {
		body string
		code contract.Code
	}{
		"file over its limit": {ok + formPart(`name="files"; filename="b"`, strings.Repeat("x", 11)), contract.UploadTooLarge},
		"all over the limit":  {ok + formPart(`name="files"; filename="b"`, strings.Repeat("x", 9)) + formPart(`name="files"; filename="c"`, strings.Repeat("x", 9)), contract.UploadTooLarge},
		"too many":            {ok + ok + ok + ok + "--b--", contract.TooManyFiles},
		"cut off":             {ok + formPart(`name="files"; filename="b"`, "x")[:60], contract.InvalidRequest},
		"no end":              {ok, contract.InvalidRequest},
		"no form at all":      {"hello", contract.InvalidRequest},
		"endless header":      {ok + "--b\r\nX: " + strings.Repeat("y", 1<<20), contract.InvalidRequest},
		"endless preamble":    {strings.Repeat("y", 1<<20), contract.InvalidRequest},
		"endless value":       {ok + formPart(`name="note"`, strings.Repeat("y", 1<<20)), contract.InvalidRequest},
		"endless many parts":  {strings.Repeat(formPart(`name="note"`, "x"), 1000), contract.TooManyFiles},
		"name over 255 bytes": {ok + formPart(`name="files"; filename="`+strings.Repeat("n", 256)+`"`, "x"), contract.InvalidRequest},
	} {
		s := store(t)
		r := Receiver{Blobs: s, Limits: Limits{Files: 3, FileBytes: 10, Bytes: 20}, Now: time.Now}
		_, err := r.Receive(t.Context(), kind, strings.NewReader(tt.body))
		if err == nil || problem.Find(err).Refusal.Code != tt.code {
			t.Errorf("%s: Receive = %v, want %s", name, err, tt.code)
		}
		if n := keys(t, s); n != 0 {
			t.Errorf("%s: %d blobs left, want none", name, n)
		}
	}
}

func TestReceiveDropsADeclaredDesign(t *testing.T) {
	t.Parallel()
	s := store(t)
	r := Receiver{Blobs: s, Limits: DefaultLimits(), Now: time.Now}
	for value, want := range map[string]bool{"true": true, "1": true, "on": true, "false": false, "": false, "no": false} {
		body := formPart(`name="files"; filename="a"`, "one") + formPart(`name="ITAR"`, value) + "--b--\r\n"
		got, err := r.Receive(t.Context(), kind, strings.NewReader(body))
		if err != nil || got.ITAR != want || (len(got.Files) == 0) != want {
			t.Errorf("itar=%s: %+v, %v", value, got, err)
		}
		r.Discard(got.Files)
	}
	body := formPart(`name="files"; filename="a"`, "one") + formPart(`name="ITAR"`, "maybe") + "--b--\r\n"
	if got, err := r.Receive(t.Context(), kind, strings.NewReader(body)); err == nil || problem.Find(err).Refusal.Code != contract.InvalidRequest || got.ITAR {
		t.Errorf("neither yes nor no: %+v, %v", got, err)
	}
	if n := keys(t, s); n != 0 {
		t.Errorf("%d blobs left, want none", n)
	}
}

type brokenStore struct{ *folder.Store }

func (brokenStore) Put(context.Context, string, io.Reader, int64, string) (blob.Info, error) {
	return blob.Info{}, errors.New("bucket is down")
}

func TestReceiveTellsAStoreThatIsDown(t *testing.T) {
	t.Parallel()
	r := Receiver{Blobs: brokenStore{store(t)}, Limits: DefaultLimits(), Now: time.Now}
	_, err := r.Receive(t.Context(), kind, strings.NewReader(formPart(`name="files"; filename="a"`, "one")+"--b--\r\n"))
	if p := problem.Find(err); p.Status != 503 || p.Refusal.RetryAfterS == 0 {
		t.Errorf("Receive = %v", err)
	}
}

// endless yields a form whose files it makes up as it is read.
type endless struct {
	parts []string
	fill  int
	left  int
	buf   []byte
}

func (e *endless) Read(p []byte) (int, error) {
	for len(e.buf) == 0 {
		switch {
		case e.left > 0:
			n := min(len(p), e.left)
			e.left -= n
			clear(p[:n])
			return n, nil
		case len(e.parts) == 0:
			return 0, io.EOF
		}
		e.buf, e.parts, e.left = []byte(e.parts[0]), e.parts[1:], 0
		if strings.HasSuffix(string(e.buf), "\r\n\r\n") {
			defer func() { e.left = e.fill }()
		}
	}
	n := copy(p, e.buf)
	e.buf = e.buf[n:]
	return n, nil
}

// Many large files at once must not fill the memory: they are passed on piece
// by piece. What is allocated in all stays far below what is sent.
func TestReceiveHoldsNoFileInMemory(t *testing.T) {
	s := store(t)
	r := Receiver{Blobs: s, Limits: DefaultLimits(), Now: time.Now}
	const files, size = 2, 45 << 20
	form := &endless{fill: size}
	for i := range files {
		form.parts = append(form.parts, fmt.Sprintf("--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"f%d\"\r\n\r\n", i), "\r\n")
	}
	form.parts = append(form.parts, "--b--\r\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := r.Receive(t.Context(), kind, form)
	runtime.ReadMemStats(&after)
	if err != nil || len(got.Files) != files || got.Files[1].Size != size {
		t.Fatalf("Receive = %+v, %v", got, err)
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 2<<20 {
		t.Errorf("%d KiB allocated for %d MiB of files, want 2 MiB at most", used>>10, files*size>>20)
	}
}

// Whatever is sent as a form, what is stored is what was announced, and a
// refusal leaves nothing.
func FuzzReceive(f *testing.F) {
	f.Add([]byte(formPart(`name="files"; filename="a"`, "one") + "--b--\r\n"))
	f.Add([]byte(formPart(`name="itar"`, "true") + formPart(`name="files"; filename=""`, "") + "--b--"))
	f.Add([]byte("--b\r\n\r\n\r\n--b"))
	f.Fuzz(func(t *testing.T, body []byte) {
		s := store(t)
		r := Receiver{Blobs: s, Limits: Limits{Files: 3, FileBytes: 64, Bytes: 128}, Now: time.Now}
		got, err := r.Receive(t.Context(), kind, bytes.NewReader(body))
		if (err != nil || got.ITAR) && len(got.Files) > 0 {
			t.Errorf("refused, yet %d files, want none", len(got.Files))
		}
		if n := keys(t, s); n != len(got.Files) {
			t.Errorf("%d blobs for %d files, want as many", n, len(got.Files))
		}
		for _, file := range got.Files {
			info, err := s.Stat(t.Context(), file.Key)
			if err != nil || info.Size != file.Size || file.Size > 64 || file.Name == "" {
				t.Errorf("%+v is stored as %+v, %v", file, info, err)
			}
		}
	})
}

func TestSentNamesOnlyWhatCame(t *testing.T) {
	t.Parallel()
	mine, other := uploads.IntakePrefix("u", "req_2"), uploads.IntakePrefix("u", "req_1")
	up := uploads.Upload{Ref: "u", Files: []uploads.File{
		{Name: "secret.gbr", Key: other + "0", From: "board.zip"}, {Name: "board.zip", Key: mine + "0"}, {Name: "dir/in.gbr", Key: mine + "1", From: "new.zip"},
	}}
	if diff := cmp.Diff([]string{"board.zip", "dir/in.gbr"}, filesOfRequest(up, "req_2")); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}
