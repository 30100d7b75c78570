package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// archiveName is what every packed folder is called: the same files are the same upload,
// wherever they lie.
const archiveName = "design.zip"

// A File is one that is sent.
type File struct {
	Name    string
	Content []byte
}

// Upload sends design files, archives among them. They are kept for six hours.
func (c *Client) Upload(ctx context.Context, files []File, options ...CallOption) (*Upload, error) {
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	for _, f := range files {
		if len(f.Content) > maxFile {
			return nil, fmt.Errorf("client: %s is larger than %d MB", f.Name, maxFile>>20)
		}
		part, err := w.CreateFormFile("files", f.Name)
		if err == nil {
			_, err = part.Write(f.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("client: %w", err)
	}
	if form.Len() > maxUpload {
		return nil, fmt.Errorf("client: the files are larger than %d MB together", maxUpload>>20)
	}
	out := &Upload{}
	_, err := c.run(ctx, &call{method: http.MethodPost, path: "/v1/uploads", body: form.Bytes(), contentType: w.FormDataContentType()}, out, options)
	return out, err
}

// UploadPaths sends files and folders of this machine. A folder is packed, without what
// versions and tools keep in it.
func (c *Client) UploadPaths(ctx context.Context, paths []string, options ...CallOption) (*Upload, error) {
	files := make([]File, len(paths))
	names := map[string]bool{}
	for i, p := range paths {
		f, err := readPath(p)
		if err != nil {
			return nil, fmt.Errorf("client: %w", err)
		}
		// One of the same name would replace the one before.
		for n, name := 2, f.Name; names[f.Name]; n++ {
			extension := filepath.Ext(name)
			f.Name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, extension), n, extension)
		}
		names[f.Name], files[i] = true, f
	}
	return c.Upload(ctx, files, options...)
}

func readPath(name string) (File, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return File{}, err
	case info.IsDir():
		packed, err := packFolder(os.DirFS(name))
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return File{archiveName, packed}, err
	case !info.Mode().IsRegular():
		return File{}, fmt.Errorf("%s is no file and no folder", name)
	case info.Size() > maxFile:
		return File{}, fmt.Errorf("%s is larger than %d MB", name, maxFile>>20)
	}
	content, err := os.ReadFile(name)
	return File{filepath.Base(name), content}, err
}

// UploadFolder sends a folder, without what versions and tools keep in it.
func (c *Client) UploadFolder(ctx context.Context, folder string, options ...CallOption) (*Upload, error) {
	return c.UploadPaths(ctx, []string{folder}, options...)
}

// GetUpload gives what an upload holds and, in Classified, what each file was taken for.
func (c *Client) GetUpload(ctx context.Context, uploadID string, options ...CallOption) (*Upload, error) {
	out := &Upload{}
	return out, c.Do(ctx, http.MethodGet, "/v1/uploads/"+escape(uploadID), nil, nil, out, options...)
}

// ReadUpload is GetUpload once every file was read.
func (c *Client) ReadUpload(ctx context.Context, uploadID string, options ...CallOption) (*Upload, error) {
	for attempt := 1; ; attempt++ {
		out, err := c.GetUpload(ctx, uploadID, options...)
		if err != nil || !out.Reading && out.Status != UploadStatusReceiving {
			return out, err
		}
		if err := c.sleep(ctx, backoff(attempt)); err != nil {
			return out, errors.Join(err, context.Cause(ctx))
		}
	}
}

// duration is a number of seconds.
func duration(s int64) time.Duration { return time.Duration(s) * time.Second }
