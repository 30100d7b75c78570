package main

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"text/tabwriter"
	"time"

	"boardorder/pkg/board/testkit/corpus"
)

// The goals of the way from files to a price, on a machine that does nothing else.
const (
	goalP50 = 150 * time.Millisecond
	goalP99 = time.Second
)

// maxSlow is how many of the slowest designs are listed.
const maxSlow = 15

// A priced design is what one design waited for.
type priced struct {
	name    string
	took    time.Duration // from the first byte of the upload to the answer
	upload  time.Duration // of that, until the upload was there
	reading time.Duration // of that, what a second quote of the same files does not wait for
	price   time.Duration // of that, what it waits for as well
	work    time.Duration // processor time of the program and its workers until the answer
	after   time.Duration // and from then on, for what follows the price
	status  int
	answer  string // the code of a question or a refusal; "" is a price
}

// price asks for a price of every design in a folder, cold and one after another, each
// from the first byte of its upload. What follows a price is done before the next upload.
func price(ctx context.Context, program, folder string, names []string) error {
	if len(names) == 0 {
		var err error
		if names, err = corpus.Folders(folder); err != nil {
			return err
		}
	}
	s, err := startSystem(ctx, program, 1, "DEMO_UPLOADS_PER_HOUR=1000000")
	if err != nil {
		return err
	}
	defer s.stop()                              //nolint:errcheck // a temporary folder at the worst
	if _, err := s.upload(ctx, 0); err != nil { // the first request of all waits for connections
		return err
	}
	var all []priced
	for i, name := range names {
		p, err := s.priceOf(ctx, filepath.Join(folder, name), i)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		p.name = name
		all = append(all, p)
	}
	return showPriced(os.Stdout, all)
}

// priceOf sends one design and waits for the answer.
func (s *system) priceOf(ctx context.Context, folder string, i int) (p priced, err error) {
	form, kind, err := designForm(folder)
	if err != nil {
		return p, err
	}
	before, err := s.quiet(ctx)
	if err != nil {
		return p, err
	}
	start := time.Now()
	var up struct {
		UploadID string `json:"upload_id"`
		Error    string `json:"error"`
	}
	if p.status, err = s.ask(ctx, "/v1/uploads", kind, form, &up); err != nil {
		return p, err
	}
	p.upload = time.Since(start)
	p.took, p.answer = p.upload, up.Error
	if up.UploadID == "" {
		return p, nil
	}
	if p.status, p.answer, err = s.askQuote(ctx, up.UploadID, i, 10); err != nil {
		return p, err
	}
	p.took = time.Since(start)
	answered, err := treeTime(s.PID)
	if err != nil {
		return p, err
	}
	p.work = answered - before
	rest, err := s.quiet(ctx)
	if err != nil {
		return p, err
	}
	p.after = rest - answered
	again := time.Now()
	if _, _, err = s.askQuote(ctx, up.UploadID, i, 11); err != nil {
		return p, err
	}
	p.price = min(time.Since(again), p.took-p.upload)
	p.reading = p.took - p.upload - p.price
	return p, nil
}

// askQuote asks for a quote and waits for whatever answers it.
func (s *system) askQuote(ctx context.Context, upload string, i, quantity int) (status int, code string, err error) {
	var answer struct {
		Error string `json:"error"`
	}
	body := fmt.Appendf(nil, `{"upload_id":%q,"quantity":%d,"standard_for_unstated":true,"ship_to":{"country":"DE"},"project_name":"price %d"}`, upload, quantity, i)
	status, err = s.ask(ctx, "/v1/quotes?wait_s=150", "application/json", body, &answer)
	if err == nil && status == http.StatusAccepted {
		err = fmt.Errorf("no answer within 150 s")
	}
	return status, answer.Error, err
}

// ask posts a body and reads what answers it, whatever its status.
func (s *system) ask(ctx context.Context, path, kind string, body []byte, into any) (status int, err error) {
	status, reply, err := s.send(ctx, path, kind, bytes.NewReader(body))
	if err != nil {
		return status, err
	}
	if err := json.Unmarshal(reply, into); err != nil {
		return status, fmt.Errorf("%s: %d %s: %s", path, status, http.StatusText(status), reply)
	}
	return status, nil
}

// designForm is a folder as a customer sends it: a form with each of its files.
func designForm(folder string) ([]byte, string, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	files, folders := []string{}, false
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
			folders = folders || filepath.Dir(path) != filepath.Clean(folder)
		}
		return err
	})
	if err != nil {
		return nil, "", err
	}
	if folders || len(files) > maxLoose { // browsers send folders as archives
		err = zipInto(w, folder)
	} else {
		for _, path := range files {
			if err = addFile(w, path); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, "", err
	}
	err = w.Close()
	return form.Bytes(), w.FormDataContentType(), err
}

// maxLoose is how many files are sent one by one.
const maxLoose = 20

func addFile(w *multipart.Writer, path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	part, err := w.CreateFormFile("files", filepath.Base(path))
	if err != nil {
		return err
	}
	_, err = part.Write(data)
	return err
}

func zipInto(w *multipart.Writer, folder string) error {
	part, err := w.CreateFormFile("files", filepath.Base(folder)+".zip")
	if err != nil {
		return err
	}
	z := zip.NewWriter(part)
	if err := z.AddFS(os.DirFS(folder)); err != nil {
		return err
	}
	return z.Close()
}

// showPriced writes the figures of all designs, and the slowest with what took the time.
func showPriced(w io.Writer, all []priced) error {
	if len(all) == 0 {
		return nil
	}
	slices.SortFunc(all, func(a, b priced) int { return cmp.Compare(b.took, a.took) })
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(out, "slowest\tfiles to price\tupload\treading\tprice\tCPU\tCPU after\tanswer\t")
	for _, p := range all[:min(len(all), maxSlow)] {
		fmt.Fprintf(out, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d %s\t\n", p.name, show(p.took), show(p.upload), show(p.reading), show(p.price), show(p.work), show(p.after), p.status, p.answer)
	}
	if err := out.Flush(); err != nil {
		return err
	}
	n := len(all)
	at := func(share int) time.Duration { return all[n-1-(n-1)*share/100].took } // slowest first
	var work, after time.Duration
	requested := 0
	for _, p := range all {
		work, after = work+p.work, after+p.after
		if p.answer != "" {
			requested++
		}
	}
	fmt.Fprintf(w, "\n%d designs, %d of them answered with a question or a refusal\nfiles to price: p50 %s, p90 %s, p99 %s, most %s (goal: p50 %s, p99 %s on a machine that does nothing else)\n",
		n, requested, show(at(50)), show(at(90)), show(at(99)), show(all[0].took), show(goalP50), show(goalP99))
	fmt.Fprintf(w, "processor time a design: %s until the answer, %s for what follows it\n", show(work/time.Duration(n)), show(after/time.Duration(n)))
	return nil
}
