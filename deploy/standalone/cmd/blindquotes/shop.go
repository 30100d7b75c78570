package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

// A shop is a running service, as a client with a key sees it.
type shop struct{ base, key string }

// replies are what the service said of one design, whole.
type replies struct {
	Upload, Quote, Check json.RawMessage
	Status               int // of the quote
	Took                 time.Duration
}

// quote uploads a folder and asks for its price and its check.
func (s *shop) quote(ctx context.Context, folder string) (*replies, error) {
	r := &replies{}
	start := time.Now()
	id, err := s.upload(ctx, folder, r)
	if err != nil || id == "" {
		r.Took = time.Since(start)
		return r, err
	}
	if r.Status, r.Quote, err = s.post(ctx, quotesPath, map[string]any{
		"upload_id": id, "quantity": 10, "standard_for_unstated": true, "ship_to": map[string]string{"country": "DE"},
	}); err != nil {
		return nil, err
	}
	r.Took = time.Since(start)
	if _, r.Check, err = s.post(ctx, "/v1/design-checks", map[string]any{"upload_id": id}); err != nil {
		return nil, err
	}
	_, r.Upload, err = s.do(ctx, http.MethodGet, "/v1/uploads/"+id, "", nil)
	return r, err
}

// quotesPath waits as long as the service lets anybody wait.
const quotesPath = "/v1/quotes?wait_s=150"

// upload sends a folder and gives its id; what refuses it is the reply to the quote.
func (s *shop) upload(ctx context.Context, folder string, r *replies) (id string, err error) {
	body, kind, err := form(folder)
	if err != nil {
		return "", err
	}
	if r.Status, r.Upload, err = s.do(ctx, http.MethodPost, "/v1/uploads", kind, body); err != nil {
		return "", err
	}
	var upload struct {
		ID string `json:"upload_id"`
	}
	if err := json.Unmarshal(r.Upload, &upload); err != nil {
		return "", err
	}
	if upload.ID == "" {
		r.Quote = r.Upload
	}
	return upload.ID, nil
}

func (s *shop) post(ctx context.Context, path string, body any) (int, json.RawMessage, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return 0, nil, err
	}
	return s.do(ctx, http.MethodPost, path, "application/json", bytes.NewReader(data))
}

func (s *shop) do(ctx context.Context, method, path, kind string, body io.Reader) (int, json.RawMessage, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.base+path, body)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("X-API-Key", s.key)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err == nil && !json.Valid(data) {
		err = fmt.Errorf("%s %s: %d, and no JSON", method, path, res.StatusCode)
	}
	return res.StatusCode, data, err
}

// form is a folder as one archive in a multipart form, names kept.
func form(folder string) (io.Reader, string, error) {
	var body bytes.Buffer
	f := multipart.NewWriter(&body)
	part, err := f.CreateFormFile("files", "design.zip")
	if err != nil {
		return nil, "", err
	}
	z := zip.NewWriter(part)
	if err := z.AddFS(os.DirFS(folder).(fs.ReadDirFS)); err != nil {
		return nil, "", err
	}
	if err := z.Close(); err != nil {
		return nil, "", err
	}
	return &body, f.FormDataContentType(), f.Close()
}
