package fabricator

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"

	"go.uber.org/zap"
)

const maxFile = 100 << 20

// upload takes a zip or rar of design files as multipart form.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) {
	if err := s.authorise(r, nil); err != nil {
		writeUnauthorized(w, err)
		return
	}
	if s.sabotage(w, &call{name: callName(r)}) {
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxFile+maxBody)
	f, err := s.takeFile(r)
	if err == nil {
		err = s.write(entry{File: &f})
	}
	if err != nil && !errors.As(err, new(refusal)) {
		s.log.Error("upload failed", zap.Error(err))
	}
	reply(w, err, f.Key)
}

func (s *Server) takeFile(r *http.Request) (File, error) {
	mr, err := r.MultipartReader()
	if err != nil {
		return File{}, refuse(2000)
	}
	for {
		part, err := mr.NextPart()
		if errors.Is(err, io.EOF) {
			return File{}, refuse(2000)
		}
		if err != nil {
			return File{}, refuse(2007)
		}
		if part.FormName() == "file" {
			return s.keep(part)
		}
	}
}

// keep writes a file whole or not at all.
func (s *Server) keep(part *multipart.Part) (File, error) {
	f := File{Key: newID(""), Name: part.FileName(), At: s.cfg.Now().UTC()}
	tmp, err := os.CreateTemp(filepath.Join(s.cfg.Dir, "files"), ".upload-*")
	if err != nil {
		return File{}, fmt.Errorf("keep file: %w", err)
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	sum := sha256.New()
	if f.Size, err = io.Copy(io.MultiWriter(tmp, sum), part); err != nil {
		return File{}, refuse(2007)
	}
	head := make([]byte, 4)
	n, _ := tmp.ReadAt(head, 0)
	switch {
	case f.Size == 0:
		return File{}, refuse(2006)
	case f.Size > maxFile:
		return File{}, refuse(2002)
	case !bytes.HasPrefix(head[:n], []byte("PK")) && !bytes.HasPrefix(head[:n], []byte("Rar!")):
		return File{}, refuse(2001)
	}
	f.Digest = hex.EncodeToString(sum.Sum(nil))
	if err := tmp.Sync(); err != nil {
		return File{}, fmt.Errorf("keep file: %w", err)
	}
	if err := os.Rename(tmp.Name(), s.path(f.Key)); err != nil {
		return File{}, fmt.Errorf("keep file: %w", err)
	}
	return f, nil
}

// path is where a file lies; keys are made here, never taken from outside.
func (s *Server) path(key string) string { return filepath.Join(s.cfg.Dir, "files", key) }

func (s *Server) file(key string) (File, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f, ok := s.files[key]
	return f, ok
}
