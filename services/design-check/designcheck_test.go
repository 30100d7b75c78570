package designcheck_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/exportcontrol"
	"boardorder/pkg/projection"
	docopen "boardorder/pkg/projection/open"
	"boardorder/pkg/retention"
	designcheck "boardorder/services/design-check"

	"go.uber.org/zap"
)

var config = designcheck.Config{Parallel: 1, MemoryMB: 64, ReadTimeout: time.Minute}

type harness struct {
	*simbus.Sim
	service *designcheck.Service
	blobs   blob.Store
	docs    projection.Store
	n       int
}

func setup(t *testing.T) *harness {
	t.Helper()
	blobs, err := blobopen.Open(t.Context(), "file:"+t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	docs, err := docopen.Open(t.Context(), "sqlite:"+t.TempDir()+"/docs.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := docs.Close(); err != nil {
			t.Error(err)
		}
	})
	d := &harness{Sim: simbus.New(1, simbus.Faults{}), blobs: blobs, docs: docs}
	if d.service, err = designcheck.New(config, d.Sim, blobs, workers, zap.NewNop(), d.Now); err != nil {
		t.Fatal(err)
	}
	d.Handle(d.service.Handlers())
	return d
}

func (d *harness) do(t *testing.T, name contract.CommandName, data any) {
	t.Helper()
	d.n++
	c, err := contract.NewCommand(name, "", "acc_1", d.Now(), data)
	if err != nil {
		t.Fatal(err)
	}
	c.ID = contract.DeriveID(name.String(), string(rune(d.n)))
	if err := d.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(time.Second))
	if len(d.Dead) > 0 {
		t.Fatalf("dead letter: %v", d.Dead[0].Err)
	}
}

// A two-layer board of two pads and an outline, as small as boards are.
var square = map[string]string{
	"sq-F_Cu.gbr":      "%TF.FileFunction,Copper,L1,Top*%\n%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,1.000*%\nD10*\nX2000000Y2000000D03*\nX8000000Y8000000D03*\nM02*\n",
	"sq-B_Cu.gbr":      "%TF.FileFunction,Copper,L2,Bot*%\n%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,1.000*%\nD10*\nX2000000Y2000000D03*\nM02*\n",
	"sq-Edge_Cuts.gbr": "%TF.FileFunction,Profile,NP*%\n%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.100*%\nD10*\nX0Y0D02*\nX20000000Y0D01*\nX20000000Y10000000D01*\nX0Y10000000D01*\nX0Y0D01*\nM02*\n",
	"sq.drl":           "M48\nMETRIC\nT1C0.500\n%\nT1\nX2.0Y2.0\nM30\n",
}

func (d *harness) upload(t *testing.T, files map[string]string) boards.ReadData {
	t.Helper()
	data := boards.ReadData{Digest: "digest", Upload: "u"}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		content := files[name]
		key := "uploads/u/" + contract.DeriveID(name)
		info, err := d.blobs.Put(t.Context(), key, bytes.NewReader([]byte(content)), -1, "")
		if err != nil {
			t.Fatal(err)
		}
		data.Files = append(data.Files, uploads.File{Name: name, Size: info.Size, Key: key})
	}
	return data
}

func (d *harness) state(t *testing.T) boards.ReadFiles {
	t.Helper()
	s, err := aggregate.At[boards.ReadFiles](d, contract.BoardAggregate, "digest").Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.State
}

func TestReadsOnce(t *testing.T) {
	t.Parallel()
	d := setup(t)
	data := d.upload(t, square)
	d.do(t, boards.Read, data)
	d.do(t, boards.Read, data)
	if n := len(d.Events(contract.BoardAggregate)); n != 2 {
		t.Errorf("%d events, want one reading and its completion", n)
	}
	s := d.state(t)
	if len(s.Boards) != 1 || len(s.Files) != 4 {
		t.Fatalf("%d boards, %d files; findings %+v, want one, 4", len(s.Boards), len(s.Files), s.Findings)
	}
	b := s.Boards[0]
	for name, want := range map[string]any{"layers": 2.0, "width_mm": 20.0, "height_mm": 10.0, "holes": 1.0} {
		if got := b.Facts[name].Value; got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	for _, key := range []string{b.Top, b.Bottom, s.Package} {
		if _, err := d.blobs.Stat(t.Context(), key); err != nil {
			t.Errorf("%q: %v", key, err)
		}
	}
}

// TestExportControlIsNoticed, in notes and in artwork, and once a file.
func TestExportControlIsNoticed(t *testing.T) {
	t.Parallel()
	d := setup(t)
	files := maps.Clone(square)
	files["README.txt"] = "This design is ITAR controlled.\nITAR, again.\n"
	files["guitar.txt"] = "Guitar pedal, not ITAR controlled.\n"
	files["sq-F_Cu.gbr"] = strings.Replace(files["sq-F_Cu.gbr"], "D10*", "G04 22 CFR 121.1*\nD10*", 1)
	d.do(t, boards.Read, d.upload(t, files))
	var named []string
	for _, f := range d.state(t).Findings {
		if f.Check == exportcontrol.Check && f.Level == "warning" {
			named = append(named, f.File)
		}
	}
	if want := []string{"README.txt", "sq-F_Cu.gbr"}; !slices.Equal(named, want) {
		t.Errorf("named: %v, want %v", named, want)
	}
}

func TestEachBoardHasItsPackage(t *testing.T) {
	t.Parallel()
	d := setup(t)
	two := map[string]string{}
	for name, content := range square {
		two["first/"+name] = content
		two["second/"+name] = strings.NewReplacer("X20000000", "X30000000", "X8000000", "X9000000", "X2.0", "X3.0").Replace(content)
	}
	d.do(t, boards.Read, d.upload(t, two))
	s := d.state(t)
	if len(s.Boards) != 2 {
		t.Fatalf("%d boards, want 2", len(s.Boards))
	}
	for _, b := range s.Boards {
		if n := members(t, d, s.PackageOf(b.Name)); n != 4 {
			t.Errorf("package of %s has %d files, want its own 4", b.Name, n)
		}
	}
	if n := members(t, d, s.PackageOf("another")); n != 8 {
		t.Errorf("package of the upload has %d files, want 8", n)
	}
}

func members(t *testing.T, d *harness, key string) int {
	t.Helper()
	r, _, err := d.blobs.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	return len(z.File)
}

func TestForgetsWhatNobodyNeeds(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.do(t, boards.Read, d.upload(t, square))
	expires := d.Now().Add(100 * time.Hour)
	if _, err := retention.Need(t.Context(), d, "digest", contract.Command{ID: "q"}, "quote", expires, d.Now()); err != nil {
		t.Fatal(err)
	}
	d.do(t, boards.Forget, boards.ForgetData{Digest: "digest"})
	if d.state(t).Gone {
		t.Fatal("forgotten although a quote needs it")
	}
	needed := d.state(t).NeededUntil
	if needed.Before(expires) {
		t.Fatalf("needed until %s, want at least %s", needed, expires)
	}
	d.Run(needed.Add(time.Hour))
	if !d.state(t).Gone {
		t.Error("still there after the quote has expired")
	}
	pack := boards.ReadingPrefix("digest", 0) + "package.zip"
	if _, err := d.blobs.Stat(context.Background(), pack); err != nil {
		t.Errorf("package an hour after the decision: %v", err)
	}
	d.do(t, boards.Complete, boards.CompleteData{Digest: "digest", Prefix: boards.ReadingPrefix("digest", 0)}) // delivered late
	if _, err := d.blobs.Stat(context.Background(), pack); err != nil {
		t.Errorf("package after another delivery of what made it: %v, want it for a day", err)
	}
	if _, err := retention.Need(t.Context(), d, "digest", contract.Command{ID: "late"}, "quote", needed.Add(time.Hour), d.Now()); !errors.Is(err, retention.ErrGone) {
		t.Errorf("needed after the decision: %v", err)
	}
	d.Run(needed.Add(25 * time.Hour))
	if _, err := d.blobs.Stat(context.Background(), pack); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("package: %v, want gone", err)
	}
	d.do(t, boards.Read, d.upload(t, square))
	if s := d.state(t); s.Gone || len(s.Boards) != 1 {
		t.Errorf("the upload has %d boards, gone: %t; want one, read again when it was needed", len(s.Boards), s.Gone)
	}
	d.do(t, boards.Forget, boards.ForgetData{Digest: "digest", Must: true})
	if !d.state(t).Gone {
		t.Error("not forgotten although it must be")
	}
}

func TestFilesThatAreGone(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.do(t, boards.Read, boards.ReadData{Digest: "digest", Files: []uploads.File{{Name: "a.gbr", Key: "uploads/u/none"}}})
	for _, e := range d.Events(contract.BoardAggregate) {
		if e.Name != boards.EventForgotten {
			t.Errorf("%s of files that are gone, want %s alone", e.Name, boards.EventForgotten)
		}
	}
}

// meddler does something before the first blob is put.
type meddler struct {
	blob.Store
	meddle func()
}

func (m *meddler) Put(ctx context.Context, key string, r io.Reader, size int64, kind string) (blob.Info, error) {
	if do := m.meddle; do != nil {
		m.meddle = nil
		do()
	}
	return m.Store.Put(ctx, key, r, size, kind)
}

// TestForgottenWhileItIsRead: an upload is declared ITAR while its files are
// read. Nothing of what was made stays.
func TestForgottenWhileItIsRead(t *testing.T) {
	t.Parallel()
	for _, again := range []bool{false, true} {
		d := setup(t)
		files := d.upload(t, square)
		service, err := designcheck.New(config, d.Sim, &meddler{d.blobs, func() {
			if !again {
				for _, f := range files.Files {
					if err := d.blobs.Delete(t.Context(), f.Key); err != nil {
						t.Error(err)
					}
				}
			}
			forget, err := contract.NewCommand(boards.Forget, "", "", d.Now(), boards.ForgetData{Digest: "digest", Must: true})
			if err == nil {
				err = d.service.Handlers()[boards.Forget](t.Context(), forget)
			}
			if err != nil {
				t.Error(err)
			}
		}}, workers, zap.NewNop(), d.Now)
		if err != nil {
			t.Fatal(err)
		}
		d.Handle(service.Handlers())
		d.do(t, boards.Read, files)
		d.Run(d.Now().Add(time.Hour))
		if again { // another upload has the same files, and is wanted
			if s := d.state(t); s.Gone || len(s.Boards) != 1 {
				t.Errorf("not read anew: %+v, want one board", s)
			}
			continue
		}
		if !d.state(t).Gone {
			t.Error("there is a reading of what was forgotten while it was read")
		}
		for info, err := range d.blobs.List(t.Context(), boards.Prefix) {
			t.Error("left behind:", info.Key, err)
		}
	}
}

func TestForgetThatComesAgain(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.do(t, boards.Read, d.upload(t, square))
	c, err := contract.NewCommand(boards.Forget, "", "", d.Now(), boards.ForgetData{Digest: "digest", Must: true})
	if err != nil {
		t.Fatal(err)
	}
	c.ID = "forget"
	forget := d.service.Handlers()[boards.Forget]
	if err := forget(t.Context(), c); err != nil || !d.state(t).Gone {
		t.Fatalf("not forgotten: %v", err)
	}
	d.do(t, boards.Read, d.upload(t, square))
	if err := forget(t.Context(), c); err != nil || d.state(t).Gone { // its acknowledgement had been lost
		t.Errorf("a new reading was forgotten: %v", err)
	}
	if _, err := d.blobs.Stat(t.Context(), d.state(t).Package); err != nil {
		t.Errorf("package of the new reading: %v", err)
	}
}

// TestSmallestIsMeasured: prices depend on the narrowest gap, which no file states. The
// ring is that of the hole that square has.
func TestSmallestIsMeasured(t *testing.T) {
	t.Parallel()
	d := setup(t)
	files := maps.Clone(square)
	files["sq-F_Cu.gbr"] = "%TF.FileFunction,Copper,L1,Top*%\n%FSLAX46Y46*%\n%MOMM*%\n%ADD10C,0.250*%\n%ADD11C,0.700*%\n" +
		"D10*\nX2000000Y2000000D02*\nX6000000Y2000000D01*\nX4000000Y2370000D02*\nX8000000Y2370000D01*\n" +
		"D11*\nX2000000Y2000000D03*\nX8000000Y2370000D03*\nM02*\n"
	files["sq-PTH.drl"] = "M48\nMETRIC\nT1C0.400\n%\nT1\nX8.0Y2.37\nM30\n"
	d.do(t, boards.Read, d.upload(t, files))
	facts := d.state(t).Boards[0].Facts
	for name, want := range map[string]float64{"smallest_track_mm": 0.25, "smallest_gap_mm": 0.12, "smallest_ring_mm": 0.1} {
		if got := facts[name].Value; got != want {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
}
