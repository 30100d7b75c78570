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
)

// upload sends the sample board, with a note that makes it one design of several, and
// gives its upload_id.
func (s *system) upload(ctx context.Context, design int) (string, error) {
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
	if part, err = w.CreateFormFile("files", "README.txt"); err != nil {
		return "", err
	}
	if _, err := fmt.Fprintf(part, "Revision %d of the sample board.\n", design+1); err != nil {
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
	status, reply, err := s.send(ctx, path, kind, body)
	if err != nil {
		return err
	}
	if status != want {
		return fmt.Errorf("%s: %d %s: %s", path, status, http.StatusText(status), reply)
	}
	return use(reply)
}

// send posts a body and gives whatever answers it.
func (s *system) send(ctx context.Context, path, kind string, body io.Reader) (status int, reply []byte, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.BaseURL+path, body)
	if err != nil {
		return 0, nil, err
	}
	req.Header.Set("X-API-Key", s.APIKey)
	req.Header.Set("Content-Type", kind)
	resp, err := s.client.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	reply, err = io.ReadAll(resp.Body)
	return resp.StatusCode, reply, err
}

// openQuotes starts the program for n clients, and the burst that they ask for.
func openQuotes(ctx context.Context, program string, n int, env ...string) (*system, *burst, error) {
	s, err := startSystem(ctx, program, n, env...)
	if err != nil {
		return nil, nil, err
	}
	b, err := newBurst(ctx, s)
	if err != nil {
		return nil, nil, errors.Join(err, s.stop())
	}
	return s, b, nil
}
