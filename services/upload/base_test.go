package upload_test

import (
	"io"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/upload"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
)

// extend makes the upload ref of base and more files.
func (d *harness) extend(t *testing.T, ref, base string, files ...sent) *contract.Refusal {
	t.Helper()
	return d.do(t, uploads.AddFiles, uploads.AddFilesData{Ref: ref, Base: base, Files: d.stage(t, ref, files...)})
}

// contentsOf are the files of an upload, with what they hold.
func (d *harness) contentsOf(t *testing.T, ref string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, f := range d.state(t, ref).Files {
		r, _, err := d.blobs.Get(t.Context(), f.Key)
		if err != nil {
			t.Fatalf("%s of %s: %v", f.Name, ref, err)
		}
		data, err := io.ReadAll(r)
		_ = r.Close()
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(data)
	}
	return out
}

// TestUploadBeginsWithAnother: the new upload has the old files and the new ones, which replace
// those of their name, and lives on its own; the old one stays as it was.
func TestUploadBeginsWithAnother(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "old", false, sent{"board.zip", zipFiles(t, sent{"top.gbr", "1"}, sent{"drill.drl", "2"})}, sent{"bom.csv", "a"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	before := d.state(t, "old")
	d.Advance(time.Hour)
	if r := d.extend(t, "new", "old", sent{"bom.csv", "b"}, sent{"cpl.csv", "c"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	if diff := cmp.Diff(before, d.state(t, "old")); diff != "" {
		t.Errorf("the old upload changed (-before +after):\n%s", diff)
	}
	u := d.state(t, "new")
	var received []string
	for _, r := range u.Received {
		received = append(received, r.Name)
	}
	if !slices.Equal(received, []string{"board.zip", "bom.csv", "cpl.csv"}) || u.Digest == before.Digest || !u.ExpiresAt.After(before.ExpiresAt) || !slices.Equal(u.Earlier, []string{before.Content}) {
		t.Errorf("new upload %+v, want three files received, another digest and a later end than %+v, whose content came earlier", u, before)
	}
	d.Run(before.ExpiresAt.Add(time.Minute)) // the old one ends, and its files with it
	if got := d.state(t, "old").Status; got != uploads.Expired {
		t.Fatalf("the old upload is %s, want it expired", got)
	}
	want := map[string]string{"top.gbr": "1", "drill.drl": "2", "bom.csv": "b", "cpl.csv": "c"}
	if diff := cmp.Diff(want, d.contentsOf(t, "new")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// TestUploadReplacesItsArchive: the same archive again is a replacement, another one is not.
func TestUploadReplacesItsArchive(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "old", false, sent{"board.zip", zipFiles(t, sent{"top.gbr", "1"})}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	for ref, tt := range map[string]struct {
		archive string
		want    map[string]string
	}{
		"again":   {"board.zip", map[string]string{"top.gbr": "2"}},
		"another": {"other.zip", map[string]string{"top.gbr": "1", "other/top.gbr": "2"}},
	} {
		if r := d.extend(t, ref, "old", sent{tt.archive, zipFiles(t, sent{"top.gbr", "2"})}); r != nil {
			t.Fatalf("%s: refused: %+v, want it granted", ref, r)
		}
		if diff := cmp.Diff(tt.want, d.contentsOf(t, ref)); diff != "" {
			t.Errorf("%s: files (-want +got):\n%s", ref, diff)
		}
	}
}

// TestUploadBeginsWithNoOther than one of the account's that is open; a refusal leaves nothing.
func TestUploadBeginsWithNoOther(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "old", false, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	old := len(d.keys(t))
	refuse := func(name string, got *contract.Refusal, want contract.Code) {
		t.Helper()
		if got == nil || got.Code != want {
			t.Errorf("%s: refusal %+v, want %s", name, got, want)
		}
		if n := len(d.keys(t)); n != old {
			t.Errorf("%s: %d blobs, want the %d of before", name, n, old)
		}
	}
	refuse("no such upload", d.extend(t, "n1", "none", sent{"b.txt", "x"}), contract.UploadNotFound)
	refuse("a broken archive", d.extend(t, "n2", "old", sent{"b.zip", "PK\x03\x04 broken"}), contract.UnreadableArchive)
	d.account = "acc_2"
	refuse("another's", d.extend(t, "n3", "old", sent{"b.txt", "x"}), contract.UploadNotFound)
	d.account = ""
	d.Run(d.Now().Add(7 * time.Hour))
	old = len(d.keys(t))
	refuse("one that has ended", d.extend(t, "n4", "old", sent{"b.txt", "x"}), contract.UploadExpired)
}

// TestUploadBeginsOnce: a delivery that comes again, after whatever of the first one was done,
// makes the same upload.
func TestUploadBeginsOnce(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "old", false, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	s := upload.New(upload.Config{Retention: time.Hour}, d.Sim, d.blobs, workers, nil, zap.NewNop(), d.Now)
	c, err := contract.NewCommand(uploads.AddFiles, "req_twice", "acc_1", d.Now(), uploads.AddFilesData{Ref: "new", Base: "old", Files: d.stage(t, "new", sent{"b.txt", "y"})})
	if err != nil {
		t.Fatal(err)
	}
	var first uploads.Upload
	for i := range 2 {
		if err := s.Handlers()[uploads.AddFiles](t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if now := d.state(t, "new"); i == 0 {
			first = now
		} else if diff := cmp.Diff(first, now); diff != "" {
			t.Errorf("the second delivery changed it (-first +second):\n%s", diff)
		}
	}
	if diff := cmp.Diff(map[string]string{"a.txt": "x", "b.txt": "y"}, d.contentsOf(t, "new")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}
