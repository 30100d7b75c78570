package upload_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/open"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/duplicates"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/services/upload"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/zap"
)

// harness is the service over an event system without faults and a real folder.
type harness struct {
	*simbus.Sim
	service  *upload.Service
	blobs    blob.Store
	requests []contract.Command // of other services
	n        int
	account  string // of the caller, "acc_1" where it is ""
}

func setup(t *testing.T) *harness {
	t.Helper()
	return setupScanner(t, nil)
}

// setupScanner is setup with a scanner.
func setupScanner(t *testing.T, scanner func(file string) (string, error)) *harness {
	t.Helper()
	blobs, err := open.Open(t.Context(), "file:"+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &harness{Sim: simbus.New(1, simbus.Faults{}), blobs: blobs}
	s := upload.New(upload.Config{Retention: 6 * time.Hour, SweepWait: time.Hour}, d.Sim, blobs, workers, scanning(scanner), zap.NewNop(), d.Now)
	d.service = s
	note := func(_ context.Context, c contract.Command) error { d.requests = append(d.requests, c); return nil }
	d.Handle(s.Handlers(), flow.Handlers{
		boards.Read: note, boards.Forget: note,
		orders.Erase: note, quotes.Erase: note, orders.HoldDuplicate: note, assemblies.Erase: note,
	})
	return d
}

// scanning is a scanner, in place of a program of its own.
type scanning func(file string) (found string, err error)

func (s scanning) Scan(_ context.Context, r io.Reader) (string, error) {
	if s == nil {
		return "", nil
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return "", err
	}
	return s(string(data))
}

type sent struct{ name, content string }

func zipFiles(t *testing.T, files ...sent) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.Create(f.name)
		if err == nil {
			_, err = w.Write([]byte(f.content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func (d *harness) caller() string {
	if d.account == "" {
		return "acc_1"
	}
	return d.account
}

// do sends a command and gives its outcome.
func (d *harness) do(t *testing.T, name contract.CommandName, data any) *contract.Refusal {
	t.Helper()
	d.n++
	request := contract.IDFrom(contract.RequestPrefix, d.Now(), name.String(), string(rune(d.n)))
	c, err := contract.NewCommand(name, request, d.caller(), d.Now(), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(time.Second))
	if len(d.Dead) > 0 {
		t.Fatalf("dead letter: %v", d.Dead[0].Err)
	}
	op, _ := d.Outcome(request)
	return op.Refusal
}

func (d *harness) add(t *testing.T, ref string, existing bool, files ...sent) *contract.Refusal {
	t.Helper()
	return d.do(t, uploads.AddFiles, uploads.AddFilesData{Ref: ref, Existing: existing, Files: d.stage(t, ref, files...)})
}

// stage stores files as the edge does.
func (d *harness) stage(t *testing.T, ref string, files ...sent) []uploads.StagedFile {
	t.Helper()
	var out []uploads.StagedFile
	for i, f := range files {
		key := uploads.StagingPrefix + contract.DeriveID(ref, string(rune(d.n)), string(rune(i)))
		if _, err := d.blobs.Put(t.Context(), key, strings.NewReader(f.content), -1, ""); err != nil {
			t.Fatal(err)
		}
		out = append(out, uploads.StagedFile{Name: f.name, Size: int64(len(f.content)), Key: key})
	}
	return out
}

func (d *harness) state(t *testing.T, ref string) uploads.Upload {
	t.Helper()
	u, err := aggregate.At[uploads.Upload](d, contract.UploadAggregate, ref).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return u.State
}

func names(u uploads.Upload) []string {
	var out []string
	for _, f := range u.Files {
		out = append(out, f.Name)
	}
	return out
}

func (d *harness) keys(t *testing.T) []string {
	t.Helper()
	var out []string
	for info, err := range d.blobs.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, info.Key)
	}
	return out
}

func TestFilesAreUnpackedAndReplaced(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "u", false, sent{"board.zip", zipFiles(t, sent{"fab/top.gbr", "1"}, sent{"__MACOSX/x", ""}, sent{"drill.drl", "2"})}, sent{"notes.txt", "n"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	u := d.state(t, "u")
	if diff := cmp.Diff([]string{"drill.drl", "fab/top.gbr", "notes.txt"}, names(u)); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	if len(u.LeftOut) != 1 || u.Account != "acc_1" || u.Digest == "" {
		t.Errorf("upload %+v, want one file left out, acc_1, a digest", u)
	}
	if slices.ContainsFunc(d.keys(t), func(k string) bool { return strings.HasPrefix(k, uploads.StagingPrefix) }) {
		t.Error("staged files were left behind")
	}
	d.Advance(time.Hour)
	if r := d.add(t, "u", true, sent{"notes.txt", "other"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	again := d.state(t, "u")
	if len(again.Files) != 3 || again.Digest == u.Digest || !again.ExpiresAt.After(u.ExpiresAt) {
		t.Errorf("after replacing a file: %+v, want 3 files, another digest than %s, a later end than %s", again, u.Digest, u.ExpiresAt)
	}
	if len(d.requests) != 2 || d.requests[1].Name != boards.Read {
		t.Errorf("asked of others: %v, want %s as the second", d.requests, boards.Read)
	}
}

func TestTwoArchivesAreTwoFolders(t *testing.T) {
	t.Parallel()
	d := setup(t)
	one, two := zipFiles(t, sent{"top.gbr", "1"}), zipFiles(t, sent{"top.gbr", "2"})
	if r := d.add(t, "u", false, sent{"one.zip", one}, sent{"two.zip", two}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	if diff := cmp.Diff([]string{"top.gbr", "two/top.gbr"}, names(d.state(t, "u"))); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

// A file whose content is plainly another kind than its name says is left out,
// with the reason.
func TestAFileThatIsNotWhatItsNameSays(t *testing.T) {
	t.Parallel()
	d := setup(t)
	program := []byte("\x7fELF\x02\x01\x01\x00")
	if r := d.add(t, "u", false, sent{"top.gbr", "G04*"}, sent{"bottom.gbr", string(program)}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	u := d.state(t, "u")
	if diff := cmp.Diff([]string{"top.gbr"}, names(u)); diff != "" || len(u.LeftOut) != 1 || u.LeftOut[0].Name != "bottom.gbr" || u.LeftOut[0].Why == "" {
		t.Errorf("left out %+v; files (-want +got):\n%s", u.LeftOut, diff)
	}
}

// Where all that was sent is left out, nobody is asked to read nothing.
func TestNothingToRead(t *testing.T) {
	t.Parallel()
	d := setup(t)
	for _, f := range []sent{{"x.exe", "MZ\x90\x00"}, {"empty.zip", zipFiles(t)}, {"mac.zip", zipFiles(t, sent{"__MACOSX/x", "x"})}} {
		d.requests = nil
		ref, _, _ := strings.Cut(f.name, ".")
		refused := d.add(t, ref, false, f)
		u := d.state(t, ref)
		if len(d.requests) != 0 || len(u.Files) != 0 || refused == nil && len(u.LeftOut) == 0 {
			t.Errorf("%s: refused %v, asked of others: %v, upload %+v; want nothing, and no files but an answer", f.name, refused, d.requests, u)
		}
		for _, key := range d.keys(t) {
			t.Errorf("%s: %s is left", f.name, key)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	many := make([]sent, uploads.MaxFiles+1)
	for i := range many {
		many[i] = sent{strings.Repeat("x", i+1), "x"}
	}
	for _, tt := range []struct {
		name     string
		existing bool
		files    []sent
		want     contract.Code
	}{
		{"a broken archive", false, []sent{{"a.zip", "PK\x03\x04 broken"}}, contract.UnreadableArchive},
		{"no archive", false, []sent{{"a.zip", "garbage"}}, contract.UnreadableArchive},
		{"a name that leads elsewhere", false, []sent{{"a.zip", zipFiles(t, sent{"../../etc/passwd", "x"})}}, contract.UnreadableArchive},
		{"a dense archive", false, []sent{{"a.zip", zipFiles(t, sent{"zeros", strings.Repeat("\x00", 5<<20)})}}, contract.UploadTooLarge},
		{"too many files", false, many, contract.TooManyFiles},
		{"no such upload", true, []sent{{"a.txt", "x"}}, contract.UploadNotFound},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			r := d.add(t, "u", tt.existing, tt.files...)
			if r == nil || r.Code != tt.want {
				t.Fatalf("refusal = %+v, want %s", r, tt.want)
			}
			if left := d.keys(t); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// TestMalwareIsNotTakenIn: nothing of the request is, and the answer names the file.
func TestMalwareIsNotTakenIn(t *testing.T) {
	t.Parallel()
	d := setupScanner(t, func(file string) (string, error) {
		if strings.Contains(file, "EICAR") {
			return "Eicar-Test-Signature", nil
		}
		return "", nil
	})
	r := d.add(t, "u", false, sent{"good.gbr", "G04*"}, sent{"bad.zip", zipFiles(t, sent{"x.gbr", "G04*"}) + "EICAR"})
	if r == nil || r.Code != contract.InvalidRequest || len(r.Fields) != 1 || r.Fields[0].Field != "bad.zip" || !strings.Contains(r.Fields[0].Message, "Eicar-Test-Signature") {
		t.Fatalf("refused with %+v, want %s, bad.zip with Eicar-Test-Signature", r, contract.InvalidRequest)
	}
	if left := d.keys(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if r := d.add(t, "u2", false, sent{"good.gbr", "G04*"}); r != nil || len(d.state(t, "u2").Files) != 1 {
		t.Errorf("a clean file: %+v, files %+v; want it granted, one", r, d.state(t, "u2").Files)
	}
}

// TestStagedFilesAreGone: files for an upload that has ended are refused as such even where a
// day went by and they were swept, since nobody could read them any more.
func TestStagedFilesAreGone(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "u", false, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	d.Advance(48 * time.Hour)
	s := upload.New(upload.Config{Retention: time.Hour}, d.Sim, d.blobs, workers, nil, zap.NewNop(), d.Now)
	c, err := contract.NewCommand(uploads.AddFiles, "req_late", "acc_1", d.Now(), uploads.AddFilesData{
		Ref: "u", Existing: true, Files: []uploads.StagedFile{{Name: "b.txt", Size: 1, Key: "staging/gone"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := contract.RefusalIn(s.Handlers()[uploads.AddFiles](t.Context(), c)); r == nil || r.Code != contract.UploadExpired {
		t.Errorf("files that were swept, for an upload that has ended: %+v, want %s", r, contract.UploadExpired)
	}
}

// TestFilesWaitForTheScanner: unscanned, nothing is taken in, however long it takes.
func TestFilesWaitForTheScanner(t *testing.T) {
	t.Parallel()
	tries := 0
	d := setupScanner(t, func(string) (string, error) {
		if tries++; tries < 40 {
			return "", errors.New("connection refused")
		}
		return "", nil
	})
	if r := d.add(t, "u", false, sent{"good.gbr", "G04*"}); r != nil || len(d.state(t, "u").Files) != 0 {
		t.Fatalf("refused %+v, files %+v; want nothing taken in unscanned", r, d.state(t, "u").Files)
	}
	d.Run(d.Now().Add(time.Hour))
	if len(d.Dead) > 0 || len(d.state(t, "u").Files) != 1 {
		t.Errorf("after %d tries: %d files, dead %+v; want one file, none", tries, len(d.state(t, "u").Files), d.Dead)
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.do(t, uploads.Create, uploads.Data{Ref: "u"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	d.Advance(5 * time.Hour)
	if r := d.add(t, "u", true, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	d.Run(d.Now().Add(5 * time.Hour)) // the first timer would have been due
	if u := d.state(t, "u"); u.Status != uploads.Open || len(u.Files) != 1 {
		t.Fatalf("ended too early: %+v", u)
	}
	d.Run(d.Now().Add(6 * time.Hour))
	if u := d.state(t, "u"); u.Status != uploads.Expired || len(u.Files)+len(u.Received) != 0 {
		t.Errorf("not ended: %+v, want it %s without files", u, uploads.Expired)
	}
	if left := d.keys(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if last := d.requests[len(d.requests)-1]; last.Name != boards.Forget {
		t.Errorf("asked last: %s, want %s", last.Name, boards.Forget)
	}
	if r := d.add(t, "u", true, sent{"b.txt", "x"}); r == nil || r.Code != contract.UploadExpired {
		t.Errorf("files for an expired upload: %+v, want %q", r, contract.UploadExpired)
	}
}

// A delivery that was slow may set an earlier timer over a later one.
func TestAnEarlierTimerEndsTheUploadInTime(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "u", false, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	data, err := json.Marshal(uploads.Data{Ref: "u"})
	if err != nil {
		t.Fatal(err)
	}
	early := contract.Command{ID: "early", Name: uploads.Expire, Data: data}
	err = d.Schedule(t.Context(), contract.Timer{
		Aggregate: contract.UploadAggregate, AggregateID: "u", What: "expire", Due: d.Now().Add(time.Hour), Command: early,
	})
	if err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(2 * time.Hour))
	if u := d.state(t, "u"); u.Status != uploads.Open {
		t.Errorf("after the earlier timer: %s, want %s", u.Status, uploads.Open)
	}
	d.Run(d.Now().Add(5 * time.Hour))
	if u := d.state(t, "u"); u.Status != uploads.Expired {
		t.Errorf("in the end: %s, want %s", u.Status, uploads.Expired)
	}
}

func TestITARDeclared(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "u", false, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	for range 2 {
		if r := d.do(t, uploads.DeclareITAR, uploads.Data{Ref: "u"}); r != nil {
			t.Fatalf("refused: %+v, want it granted", r)
		}
	}
	if u := d.state(t, "u"); u.Status != uploads.ITARDeclared || len(u.Files) != 0 || len(d.keys(t)) != 0 {
		t.Errorf("declared: %+v, %v; want %s, nothing left", u, d.keys(t), uploads.ITARDeclared)
	}
	for _, name := range []contract.CommandName{boards.Forget, orders.Erase, quotes.Erase, assemblies.Erase, orders.HoldDuplicate} {
		if !slices.ContainsFunc(d.requests, func(c contract.Command) bool { return c.Name == name }) {
			t.Errorf("nobody asked %s", name)
		}
	}
	if r := d.add(t, "u", true, sent{"b.txt", "x"}); r == nil || r.Code != contract.ITARNotSupported {
		t.Errorf("files for a declared upload: %+v, want %q", r, contract.ITARNotSupported)
	}
}

// TestITARDeclaredByAnother: whoever holds the upload_id of another account cannot
// delete what is its. People look at its orders of the files.
func TestITARDeclaredByAnother(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "u", false, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	before, kept := d.state(t, "u"), d.keys(t)
	c, err := contract.NewCommand(uploads.DeclareITAR, "", "acc_stranger", d.Now(), uploads.Data{Ref: "u"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.requests = nil
	d.Run(d.Now().Add(time.Second))
	if len(d.Dead) > 0 {
		t.Fatalf("the declaration of a stranger dies: %v", d.Dead[0].Err)
	}
	u := d.state(t, "u")
	if want := []string{"acc_stranger"}; !slices.Equal(u.DeclaredBy, want) {
		t.Errorf("it is closed to %v, want %v", u.DeclaredBy, want)
	}
	if u.DeclaredBy = nil; !cmp.Equal(u, before) || !slices.Equal(d.keys(t), kept) {
		t.Errorf("the upload became %+v with %v, want %+v with %v", u, d.keys(t), before, kept)
	}
	held := duplicates.HoldData{}
	for _, a := range d.requests {
		if a.Name != orders.HoldDuplicate {
			t.Errorf("%s was asked, want %s alone", a.Name, orders.HoldDuplicate)
		} else if err := json.Unmarshal(a.Data, &held); err != nil {
			t.Fatal(err)
		}
	}
	if want := (duplicates.HoldData{Account: "acc_stranger", Content: []string{before.Content}, Upload: "u"}); !cmp.Equal(held, want) {
		t.Errorf("held: %+v, want %+v", held, want)
	}
	if r := d.do(t, uploads.DeclareITAR, uploads.Data{Ref: "u"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	if u := d.state(t, "u"); u.Status != uploads.ITARDeclared || len(d.keys(t)) != 0 {
		t.Errorf("after the owner's word: %+v, %v; want %s, nothing left", u, d.keys(t), uploads.ITARDeclared)
	}
}

// TestDeclarationThatKeeps: an owner's declaration that may not delete closes the
// upload to the owner, and one that may deletes it afterwards.
func TestDeclarationThatKeeps(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.add(t, "u", false, sent{"a.txt", "x"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	kept := d.keys(t)
	for range 2 {
		if r := d.do(t, uploads.DeclareITAR, uploads.Data{Ref: "u", Keep: true}); r != nil {
			t.Fatalf("refused: %+v, want it granted", r)
		}
		u := d.state(t, "u")
		if u.Status != uploads.Open || !slices.Equal(u.DeclaredBy, []string{"acc_1"}) || !u.IsDeclaredFor("acc_1") || u.IsDeclaredFor("acc_2") || !slices.Equal(d.keys(t), kept) {
			t.Errorf("the upload became %+v with %v, want it %s, closed to acc_1 alone, with %v", u, d.keys(t), uploads.Open, kept)
		}
	}
	if r := d.do(t, uploads.DeclareITAR, uploads.Data{Ref: "u"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	if u := d.state(t, "u"); u.Status != uploads.ITARDeclared || len(d.keys(t)) != 0 {
		t.Errorf("after the word that deletes: %+v, %v; want %s, nothing left", u, d.keys(t), uploads.ITARDeclared)
	}
}

// TestEqualUploadsAreMarked: those of other accounts, and only those.
func TestEqualUploadsAreMarked(t *testing.T) {
	t.Parallel()
	d := setup(t)
	for ref, content := range map[string]string{"declared": "x", "equal": "x", "another": "y"} {
		d.account = "acc_of_" + ref
		if r := d.add(t, ref, false, sent{"a.txt", content}); r != nil {
			t.Fatalf("refused: %+v, want it granted", r)
		}
	}
	d.account = "acc_of_declared"
	if r := d.do(t, uploads.DeclareITAR, uploads.Data{Ref: "declared"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	for ref, want := range map[string]bool{"declared": false, "equal": true, "another": false} {
		if u := d.state(t, ref); (u.Doubted != nil) != want {
			t.Errorf("%s: doubted %v, want some: %v", ref, u.Doubted, want)
		}
	}
	if n := len(d.state(t, "equal").Files); n != 1 {
		t.Errorf("the equal upload has %d files, want 1", n)
	}
}

// reads counts what the service reads of the event system.
type reads struct {
	*simbus.Sim
	loads, scans int
}

func (r *reads) Last(ctx context.Context, a contract.Aggregate, id string) (contract.Event, error) {
	r.loads++
	return r.Sim.Last(ctx, a, id)
}

func (r *reads) Find(ctx context.Context, a contract.Aggregate, is func(contract.Event) bool) ([]string, error) {
	r.scans++
	return r.Sim.Find(ctx, a, is)
}

// TestDeclarationCostsItsEquals: what a declaration reads follows from how many
// uploads are of the same files, not from how many there are. Only while there may
// be uploads of before they were entered the whole stream is read.
func TestDeclarationCostsItsEquals(t *testing.T) {
	t.Parallel()
	cost := func(others int, older bool) (loads, scans int) {
		d := setup(t)
		d.DuplicatesAreNew = older
		r := &reads{Sim: d.Sim}
		s := upload.New(upload.Config{Retention: 6 * time.Hour, SweepWait: time.Hour}, r, d.blobs, workers, scanning(nil), zap.NewNop(), d.Now)
		d.service = s
		d.Handle(s.Handlers())
		for i := range others + 3 {
			ref, content := "u"+strconv.Itoa(i), "other "+strconv.Itoa(i)
			if i < 3 {
				content = "x"
			}
			d.account = "acc_" + ref
			if refusal := d.add(t, ref, false, sent{"a.txt", content}); refusal != nil {
				t.Fatalf("refused: %+v, want it granted", refusal)
			}
		}
		r.loads, r.scans, d.account = 0, 0, "acc_u0"
		if refusal := d.do(t, uploads.DeclareITAR, uploads.Data{Ref: "u0"}); refusal != nil {
			t.Fatalf("refused: %+v, want it granted", refusal)
		}
		for i := range others + 3 {
			if marked, want := d.state(t, "u"+strconv.Itoa(i)).Doubted != nil, i == 1 || i == 2; marked != want {
				t.Errorf("among %d others, u%d: marked %t, want %t", others, i, marked, want)
			}
		}
		ids, _, err := d.Duplicates(t.Context(), contract.UploadAggregate, duplicates.Key(d.state(t, "u1").Content))
		if err != nil || !slices.Equal(ids, []string{"u1", "u2"}) {
			t.Errorf("entered after the declaration: %v, %v", ids, err)
		}
		return r.loads, r.scans
	}
	few, scans := cost(2, false)
	many, more := cost(60, false)
	if few != many || scans != 0 || more != 0 {
		t.Errorf("among 2 others %d loads and %d streams, among 60 %d and %d; want as many loads, no streams", few, scans, many, more)
	}
	if _, scans := cost(2, true); scans != 1 {
		t.Errorf("with uploads of before: %d streams read, want 1", scans)
	}
}

func TestITARDeclaredBeforeTheFilesAreThere(t *testing.T) {
	t.Parallel()
	d := setup(t)
	if r := d.do(t, uploads.DeclareITAR, uploads.Data{Ref: "u"}); r != nil {
		t.Fatalf("refused: %+v, want it granted", r)
	}
	if r := d.add(t, "u", false, sent{"a.txt", "x"}); r == nil || r.Code != contract.ITARNotSupported {
		t.Errorf("files for a declared upload: %+v, want %q", r, contract.ITARNotSupported)
	}
	if u := d.state(t, "u"); u.Status != uploads.ITARDeclared || len(d.keys(t)) != 0 {
		t.Errorf("declared: %+v, %v; want %s, nothing left", u, d.keys(t), uploads.ITARDeclared)
	}
}

func TestRefusalOutlivesADeathAfterIt(t *testing.T) {
	t.Parallel()
	d := setup(t)
	key := uploads.StagingPrefix + "a"
	if _, err := d.blobs.Put(t.Context(), key, strings.NewReader("PK\x03\x04 broken"), -1, ""); err != nil {
		t.Fatal(err)
	}
	c, err := contract.NewCommand(uploads.AddFiles, "req_1", "acc_1", d.Now(), uploads.AddFilesData{
		Ref: "u", Files: []uploads.StagedFile{{Name: "a.zip", Size: 11, Key: key}},
	})
	if err != nil {
		t.Fatal(err)
	}
	// The handler ends, and with it the process, before anybody receives its answer.
	if err := d.service.Handlers()[uploads.AddFiles](t.Context(), c); contract.RefusalIn(err) == nil {
		t.Fatalf("first delivery: %v", err)
	}
	v := flow.Run(t.Context(), d, d.service.Handlers()[uploads.AddFiles], c, d.Now)
	op, _ := d.Outcome("req_1")
	if v.Kind != flow.Done || op.Refusal == nil || op.Refusal.Code != contract.UnreadableArchive {
		t.Errorf("second delivery: %s, %v; outcome %+v, want %s, %q", v.Kind, v.Err, op, flow.Done, contract.UnreadableArchive)
	}
}
