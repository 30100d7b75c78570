package faults_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"time"
)

// A client speaks to the API as a partner's program does: what gets no answer,
// or a 5xx, it sends again as it was.
type client struct {
	r    *rig
	http *http.Client
}

func newClient(r *rig) *client {
	return &client{r, &http.Client{
		Timeout: 15 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4, IdleConnTimeout: 30 * time.Second},
	}}
}

// timeout is how long the client waits before it sends a request again.
const timeout = 150 * time.Millisecond

type answer struct {
	status int
	joined bool
	after  string // when to come again
	body   []byte
}

// send sends a request and reads the whole answer. header are names and values.
func (c *client) send(ctx context.Context, method, path, kind string, body []byte, header ...string) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.r.system.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("X-API-Key", c.r.system.APIKey)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	return answer{resp.StatusCode, resp.Header.Get("Deduplicated") != "", resp.Header.Get("Retry-After"), data}, err
}

// insist sends a request until it is answered with less than 500.
func (c *client) insist(ctx context.Context, method, path, kind string, body []byte, header ...string) (answer, error) {
	for tries := 0; ; tries++ {
		a, err := c.send(ctx, method, path, kind, body, header...)
		c.r.ledger.do(func() {
			c.r.ledger.calls++
			if tries > 0 {
				c.r.ledger.repeats++
			}
			if err != nil {
				c.r.ledger.lost++
			}
		})
		if err == nil && a.status < 500 {
			return a, nil
		}
		if err == nil {
			c.note(a)
		}
		if wait(ctx, timeout); ctx.Err() != nil {
			return a, fmt.Errorf("%s %s: no answer in time, the last one: %d %s, %w", method, path, a.status, a.body, errors.Join(err, ctx.Err()))
		}
	}
}

// note counts an answer that asks the client to come again.
func (c *client) note(a answer) {
	var refusal struct{ Error string }
	_ = json.Unmarshal(a.body, &refusal)
	if a.after == "" || refusal.Error == "" {
		c.r.ledger.blame("an answer does not say what is wrong, or when to come again (Retry-After %q): %d %s", a.after, a.status, a.body)
	}
	c.r.ledger.do(func() { c.r.ledger.refused[fmt.Sprintf("%d %s", a.status, refusal.Error)]++ })
}

// upload sends a board whose files nobody has seen before. Answered 202, they may
// still be unpacked: what names the upload waits for them.
func (c *client) upload(ctx context.Context, n int) (string, error) {
	board, err := c.r.board(n)
	if err != nil {
		return "", err
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("files", "board.zip")
	if err == nil {
		_, err = part.Write(board)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	a, err := c.insist(ctx, http.MethodPost, "/v1/uploads", w.FormDataContentType(), form.Bytes())
	if err != nil {
		return "", err
	}
	var reply struct {
		UploadID string `json:"upload_id"`
	}
	if a.status != http.StatusCreated && a.status != http.StatusAccepted || json.Unmarshal(a.body, &reply) != nil || reply.UploadID == "" {
		return "", fmt.Errorf("upload: %d %s", a.status, a.body)
	}
	return reply.UploadID, nil
}

// board is the sample board with a note in it, which makes it another one.
func (r *rig) board(n int) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(r.dir, "sample-board.zip"))
	if err != nil {
		return nil, err
	}
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range in.File {
		if err := w.Copy(f); err != nil {
			return nil, err
		}
	}
	note, err := w.Create("NOTE.txt")
	if err == nil {
		_, err = fmt.Fprintf(note, "Board %d of the run with seed %d.\n", n, r.seed)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

type quoteReply struct {
	QuoteID    string `json:"quote_id"`
	RequestID  string `json:"request_id"`
	TotalCents int64  `json:"total_cents"`
	Mode       string `json:"mode"`
}

// quote asks for a price until there is one, and gives the quote's id.
func (c *client) quote(ctx context.Context, name string, body []byte, header ...string) (string, error) {
	for {
		a, err := c.insist(ctx, http.MethodPost, "/v1/quotes?wait_s=10", "application/json", body, header...)
		if err != nil {
			return "", err
		}
		if a.joined {
			c.r.ledger.do(func() { c.r.ledger.joined++ })
		}
		var reply quoteReply
		if err := json.Unmarshal(a.body, &reply); err != nil {
			return "", fmt.Errorf("%s: %w in %s", name, err, a.body)
		}
		if a.status == http.StatusAccepted {
			c.r.ledger.took(reply.RequestID, name)
			if a, err = c.poll(ctx, reply.RequestID); err != nil {
				return "", err
			}
			if a.status >= 500 {
				continue // this request ended so; the same body begins another
			}
			if err := json.Unmarshal(a.body, &reply); err != nil {
				return "", fmt.Errorf("%s: %w in %s", name, err, a.body)
			}
		}
		if a.status != http.StatusCreated && a.status != http.StatusOK || reply.QuoteID == "" || reply.TotalCents <= 0 {
			return "", fmt.Errorf("%s: %d %s", name, a.status, a.body)
		}
		c.r.ledger.took(reply.RequestID, name)
		c.r.ledger.noteQuote(name, reply.QuoteID)
		return reply.QuoteID, nil
	}
}

// poll asks for the outcome of a request until there is one: a quote, or an
// error that the request ended with.
func (c *client) poll(ctx context.Context, request string) (answer, error) {
	for {
		a, err := c.send(ctx, http.MethodGet, "/v1/quote-requests/"+request+"?wait_s=10", "", nil)
		if err == nil && a.status >= 500 {
			c.note(a)
			var refusal struct{ Error string }
			if json.Unmarshal(a.body, &refusal) == nil && (refusal.Error == "price_unavailable" || refusal.Error == "internal_error") {
				return a, nil
			}
		}
		if err == nil && a.status < 500 && a.status != http.StatusAccepted {
			return a, nil
		}
		if wait(ctx, timeout); ctx.Err() != nil {
			return a, fmt.Errorf("poll %s: no outcome in time, the last answer: %d %s, %w", request, a.status, a.body, errors.Join(err, ctx.Err()))
		}
	}
}

// checkDesign asks for the check of an upload until it has its whole report.
func (c *client) checkDesign(ctx context.Context, upload string) error {
	for {
		a, err := c.insist(ctx, http.MethodPost, "/v1/design-checks", "application/json", fmt.Appendf(nil, `{"upload_id":%q,"wait_s":5}`, upload))
		if err != nil {
			return err
		}
		var report struct {
			Status    string
			ReportURL string `json:"report_url"`
		}
		if err := json.Unmarshal(a.body, &report); err != nil || a.status != http.StatusOK || report.Status != "checking" && report.ReportURL == "" {
			return fmt.Errorf("design check: %d %s", a.status, a.body)
		}
		if report.Status != "checking" {
			return nil
		}
		if wait(ctx, timeout); ctx.Err() != nil {
			return fmt.Errorf("design check: %s still: %w", a.body, ctx.Err())
		}
	}
}
