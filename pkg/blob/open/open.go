// Package open opens the blob store that a URL names.
package open

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/blob/s3"
	"boardorder/pkg/tlsfiles"
)

// An Option changes how Open connects.
type Option func(*options)

type options struct{ tls tlsfiles.Files }

// TLS names the files that connections to a server use; a folder needs none.
func TLS(files tlsfiles.Files) Option {
	return func(o *options) { o.tls = files }
}

// Open opens "file:<folder>", or what s3.Parse reads. The folder is a path as
// it is, relative to the working folder, or "file:///absolute/path". The
// bucket or folder is created when it is missing. Errors show no secret.
func Open(ctx context.Context, target string, opts ...Option) (blob.Store, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	scheme, rest, ok := strings.Cut(target, ":")
	switch {
	case ok && scheme == "file":
		return openFolder(rest)
	case ok && (scheme == "s3" || scheme == "http" || scheme == "https"):
		c, err := s3.Parse(target)
		if err == nil {
			c.TLSConfig, err = o.tls.Config()
		}
		if err != nil {
			return nil, err
		}
		store, err := s3.Open(ctx, c, time.Now)
		if err != nil {
			return nil, err
		}
		return store, nil
	}
	return nil, fmt.Errorf("blob store must be file:<folder> or s3://key:secret@host:port/bucket, not %.8q…", scheme)
}

func openFolder(path string) (blob.Store, error) {
	if absolute, ok := strings.CutPrefix(path, "//"); ok {
		decoded, err := url.PathUnescape(absolute)
		if err != nil || !filepath.IsAbs(decoded) {
			return nil, fmt.Errorf("blob store file:%s must be file:<folder> or file:///absolute/folder", path)
		}
		path = decoded
	}
	if path == "" {
		return nil, fmt.Errorf("blob store file: names no folder")
	}
	store, err := folder.Open(path, time.Now)
	if err != nil {
		return nil, err
	}
	return store, nil
}
