package main

import (
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
	"sync/atomic"
)

// upload sends the sample board and gives its upload_id.
func (s *system) upload(ctx context.Context) (string, error) {
	zip, err := os.ReadFile(filepath.Join(s.data(), "sample-board.zip"))
	if err != nil {
		return "", err
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("files", "sample-board.zip")
	if err != nil {
		return "", err
	}
	if _, err := part.Write(zip); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	var reply struct {
		UploadID string `json:"upload_id"`
	}
	err = s.post(ctx, "/v1/uploads", w.FormDataContentType(), &form, http.StatusCreated, func(b []byte) error {
		return json.Unmarshal(b, &reply)
	})
	return reply.UploadID, err
}

func (s *system) post(ctx context.Context, path, kind string, body io.Reader, want int, use func([]byte) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.BaseURL+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-Key", s.APIKey)
	req.Header.Set("Content-Type", kind)
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	reply, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != want {
		return fmt.Errorf("%s: %s: %s", path, resp.Status, reply)
	}
	return use(reply)
}

// openQuotes starts the program for n clients. Each call of ask is a whole quote
// of known files, and each a new one.
func openQuotes(ctx context.Context, program string, n int, env ...string) (s *system, ask func(context.Context, int, int) error, err error) {
	if s, err = startSystem(ctx, program, n, env...); err != nil {
		return nil, nil, err
	}
	upload, err := s.upload(ctx)
	if err != nil {
		return nil, nil, errors.Join(err, s.stop())
	}
	asking := newAsker(s, n)
	var named atomic.Int64
	ask = func(context.Context, int, int) error {
		return asking.quote(fmt.Appendf(nil, `{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"project_name":"bench %d"}`, upload, named.Add(1)))
	}
	if err := ask(ctx, 0, 0); err != nil {
		return nil, nil, errors.Join(err, s.stop())
	}
	return s, ask, nil
}
