package intake

import (
	"bytes"
	"context"
	"errors"
	"io"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/worker"
)

const unpackTask = "upload.unpack"

// Tasks are what workers do for an Intake.
func Tasks() worker.Tasks { return worker.Tasks{unpackTask: unpack} }

// unpacked is what a file turned out to be. The members of an archive were
// put under their names.
type unpacked struct {
	Document bool // an archive to be taken whole; nothing was put
	LeftOut  []archive.LeftOut
	Problem  *archive.Error // why the archive is not to be taken
}

func unpack(ctx context.Context, j *worker.Job) (any, error) {
	f, err := j.Next()
	if err != nil {
		return nil, err
	}
	data, size := bytes.NewReader(f.Data), int64(len(f.Data))
	format, err := archive.Detect(f.Name, data, size)
	if err != nil || format == archive.None {
		return unpacked{Document: true}, err
	}
	report, err := archive.Unpack(ctx, f.Name, data, size, archive.DefaultLimits(), func(m archive.Member, r io.Reader) error {
		return j.Put(m.Name, "", func(w io.Writer) error {
			_, err := io.Copy(w, r)
			return err
		})
	})
	if problem, ok := errors.AsType[*archive.Error](err); ok {
		return unpacked{Problem: problem}, nil
	}
	return unpacked{LeftOut: report.LeftOut}, err
}
