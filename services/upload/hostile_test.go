package upload_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
	"boardorder/services/upload"

	"go.uber.org/zap"
)

// hostile are tasks that do to their worker what an archive may do that our code
// does not know of yet.
var hostile = worker.Tasks{
	"test.hoard": func(context.Context, *worker.Job) (any, error) {
		var all [][]byte
		for {
			all = append(all, bytes.Repeat([]byte{1}, 16<<20))
			if len(all) == cap(all)+1 { // never
				return all, nil
			}
		}
	},
	"test.spin": func(context.Context, *worker.Job) (any, error) {
		for n := 0; ; n++ {
		}
	},
	"test.crash": func(context.Context, *worker.Job) (any, error) {
		var m map[string]int
		//lint:ignore SA5000 it shall crash
		m["x"] = 1
		return nil, nil
	},
	"test.garbage": func(context.Context, *worker.Job) (any, error) {
		_, _ = os.Stdout.Write(bytes.Repeat([]byte("garbage "), 1000))
		select {}
	},
	"test.crash-late": func(_ context.Context, j *worker.Job) (any, error) {
		if err := j.Put("a.gbr", "", writeOne); err != nil {
			return nil, err
		}
		var m map[string]int
		//lint:ignore SA5000 it shall crash
		m["x"] = 1
		return nil, nil
	},
	"test.escape": func(_ context.Context, j *worker.Job) (any, error) {
		return nil, j.Put("../../etc/passwd", "", writeOne)
	},
}

// rerouted gives archives of a name like "hoard.zip" to the task "test.hoard".
type rerouted struct{ pool *worker.Pool }

func (r rerouted) Run(ctx context.Context, o worker.Order) error {
	if task := "test." + strings.TrimSuffix(o.Files[0].Name, ".zip"); hostile[task] != nil {
		o.Task = task
	}
	return r.pool.Run(ctx, o)
}

// claiming is an archive of 61 bytes that claims to hold four billion files.
func claiming() string {
	head := append([]byte{1, 5, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0}, make([]byte, 18)...)
	start := binary.LittleEndian.AppendUint64(nil, 0)
	start = binary.LittleEndian.AppendUint64(start, uint64(len(head)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(head))
	b := binary.LittleEndian.AppendUint32([]byte("7z\xbc\xaf\x27\x1c\x00\x04"), crc32.ChecksumIEEE(start))
	return string(bytes.Join([][]byte{b, start, head}, nil))
}

// Whatever an archive does to the worker that unpacks it, over a real broker it
// is refused, leaves nothing, and the next one is taken.
func TestHostileArchivesFailAlone(t *testing.T) {
	t.Parallel()
	honest := zipFiles(t, sent{"top.gbr", "1"})
	for name, test := range map[string]struct {
		content string
		want    contract.Code
	}{
		"claims.7z":      {claiming(), contract.UnreadableArchive},
		"hoard.zip":      {honest, contract.UploadTooLarge},
		"spin.zip":       {honest, contract.UploadTooLarge},
		"crash.zip":      {honest, contract.UnreadableArchive},
		"crash-late.zip": {honest, contract.UnreadableArchive},
		"garbage.zip":    {honest, contract.UnreadableArchive},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := serve(t)
			if got := r.add(t, "hostile", sent{name, test.content}); got == nil || got.Code != test.want || len(got.Fields) != 1 || got.Fields[0].Field != name {
				t.Errorf("refusal %+v, want %s", got, test.want)
			}
			for info, err := range r.blobs.List(t.Context(), "") {
				t.Error("left behind:", info.Key, err)
			}
			if got := r.add(t, "honest", sent{"board.zip", honest}); got != nil {
				t.Errorf("the next archive: %+v, want it granted", got)
			}
		})
	}
}

// A worker that foreign bytes have taken over has no say in names.
func TestNamesOfWorkersAreChecked(t *testing.T) {
	t.Parallel()
	d := setup(t)
	s := upload.New(upload.Config{Retention: time.Hour}, d.Sim, d.blobs, rerouted{workers}, nil, zap.NewNop(), d.Now)
	if _, err := d.blobs.Put(t.Context(), "staging/a", strings.NewReader(zipFiles(t, sent{"x", "x"})), -1, ""); err != nil {
		t.Fatal(err)
	}
	c, err := contract.NewCommand(uploads.AddFiles, "req_1", "acc_1", d.Now(), uploads.AddFilesData{
		Ref: "u", Files: []uploads.StagedFile{{Name: "escape.zip", Size: 1, Key: "staging/a"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Handlers()[uploads.AddFiles](t.Context(), c); err == nil || contract.RefusalIn(err) != nil {
		t.Errorf("a name that leads elsewhere: %v", err)
	}
	if u := d.state(t, "u"); len(u.Files) != 0 {
		t.Errorf("files %+v, want none", u.Files)
	}
}
