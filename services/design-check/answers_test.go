package designcheck_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
)

// readAnswered is the reading of an upload with answers.
func (d *harness) readAnswered(t *testing.T, data boards.ReadData, a answers.FileAnswers) (string, boards.ReadFiles) {
	t.Helper()
	data.Answers = &a
	data.Digest = boards.DigestWithAnswers(data.Digest, data.Answers)
	d.do(t, boards.Read, data)
	s, err := aggregate.At[boards.ReadFiles](d, contract.BoardAggregate, data.Digest).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return data.Digest, s.State
}

// TestAnswersAreRead: files are read with what was answered about them beside the reading
// of the files alone, which is as it was, and go with it.
func TestAnswersAreRead(t *testing.T) {
	t.Parallel()
	d := setup(t)
	files := map[string]string{}
	for name, text := range square {
		files[name] = strings.Replace(text, "T1C0.500", "T1", 1)
	}
	up := d.upload(t, files)
	d.do(t, boards.Read, up)
	asks := func(f contract.Finding) bool { return f.Check == "tool_size_missing" && f.Level == "must_fix" }
	i := slices.IndexFunc(d.state(t).Boards[0].Findings, asks)
	if i < 0 || d.state(t).Boards[0].Findings[i].Answers[0].Field != "file_answers.tool_sizes" {
		t.Fatalf("nothing asks for the size: %+v, want a must_fix that asks for file_answers.tool_sizes", d.state(t).Boards[0].Findings)
	}
	digest, read := d.readAnswered(t, up, answers.FileAnswers{ToolSizes: map[string]map[string]float64{"sq.drl": {"T01": 0.5}}})
	b := read.Boards[0]
	if slices.ContainsFunc(b.Findings, asks) || b.Facts["smallest_drill_mm"].Value != 0.5 || !slices.ContainsFunc(d.state(t).Boards[0].Findings, asks) {
		t.Errorf("with the answer: %+v, want a smallest drill of 0.5 mm, the size asked for only without the answer", b)
	}
	if text := d.member(t, b.Package, "READ-FIRST-about-these-files.txt"); !strings.Contains(text, "Tool T01 of sq.drl has a diameter of 0.5 mm") {
		t.Errorf("the fabricator is told %q, want that tool T01 of sq.drl has a diameter of 0.5 mm", text)
	}
	d.do(t, boards.Forget, boards.ForgetData{Digest: "digest", Must: true})
	gone, err := aggregate.At[boards.ReadFiles](d, contract.BoardAggregate, digest).Load(t.Context())
	if err != nil || !gone.State.Gone {
		t.Errorf("kept after its files were declared: %+v, %v", gone.State, err)
	}
	if _, err := d.blobs.Stat(t.Context(), b.Package); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("its package: %v", err)
	}
}

// TestAnsweredReadingOutlivesItsFiles as long as a quote needs it.
func TestAnsweredReadingOutlivesItsFiles(t *testing.T) {
	t.Parallel()
	d := setup(t)
	up := d.upload(t, square)
	d.do(t, boards.Read, up)
	up.Until = d.Now().Add(100 * time.Hour)
	digest, _ := d.readAnswered(t, up, answers.FileAnswers{LeaveOut: []string{"sq.drl"}})
	d.do(t, boards.Forget, boards.ForgetData{Digest: "digest"})
	read := func() boards.ReadFiles {
		s, err := aggregate.At[boards.ReadFiles](d, contract.BoardAggregate, digest).Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return s.State
	}
	if !d.state(t).Gone || read().Gone {
		t.Fatalf("files gone %v, their reading with answers gone %v; want true, false", d.state(t).Gone, read().Gone)
	}
	if d.Run(up.Until.Add(time.Hour)); !read().Gone {
		t.Error("kept although nobody needs it")
	}
}

// member is the text of a file of a package; "" where it has none of that name.
func (d *harness) member(t *testing.T, key, name string) string {
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
	text, err := fs.ReadFile(z, name)
	if err != nil {
		return ""
	}
	return string(text)
}
