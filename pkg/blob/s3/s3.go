// Package s3 keeps blobs as objects in a bucket of an S3-compatible server.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/minio/minio-go/v7"

	"boardorder/pkg/blob"
)

// A Store is a blob.Store in a bucket.
type Store struct {
	core   minio.Core
	bucket string
	spool  string // folder for contents on their way, "" for the system's
	now    func() time.Time
}

var _ blob.Store = (*Store)(nil)

// Open connects to the server and creates the bucket when it is missing.
func Open(ctx context.Context, c Config, now func() time.Time) (*Store, error) {
	options, err := c.options()
	var client *minio.Client
	if err == nil {
		client, err = minio.New(c.Host, options)
	}
	if err != nil {
		return nil, fmt.Errorf("open bucket %s at %s: %w", c.Bucket, c.Host, err)
	}
	s := &Store{core: minio.Core{Client: client}, bucket: c.Bucket, spool: c.Spool, now: now}
	if err := s.create(ctx, c.Region); err != nil {
		return nil, fmt.Errorf("open bucket %s at %s: %w", c.Bucket, c.Host, err)
	}
	return s, nil
}

// PingPrefix holds nothing: whoever may list it learns whether the bucket answers,
// and nothing of what lies in it.
const PingPrefix = "ping/"

// exists asks by a list, because who may ask for the bucket itself may also list all of it.
func (s *Store) exists(ctx context.Context) (bool, error) {
	_, err := s.findKey(ctx, PingPrefix)
	if minio.ToErrorResponse(err).Code == minio.NoSuchBucket {
		return false, nil
	}
	return err == nil, err
}

// findKey is the first key that begins with prefix, "" where there is none.
func (s *Store) findKey(ctx context.Context, prefix string) (string, error) {
	for o := range s.core.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true, MaxKeys: 1}) {
		return o.Key, o.Err
	}
	return "", ctx.Err()
}

func (s *Store) create(ctx context.Context, region string) error {
	exists, err := s.exists(ctx)
	if err != nil || exists {
		return err
	}
	err = s.core.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: region})
	if minio.ToErrorResponse(err).Code == minio.BucketAlreadyOwnedByYou {
		return nil // another process was faster
	}
	return err
}

// Put sends the content in one request. A reader that cannot be read again is
// received first, so that nothing half-read is ever sent and a request that
// fails can be repeated.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (blob.Info, error) {
	info, err := s.put(ctx, key, r, size, blob.ContentType(contentType))
	if err != nil {
		return blob.Info{}, fmt.Errorf("put %s: %w", key, err)
	}
	return info, nil
}

func (s *Store) put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (blob.Info, error) {
	if err := blob.ValidKey(key); err != nil {
		return blob.Info{}, err
	}
	content, err := receive(ctx, r, size, s.spool)
	if err != nil {
		return blob.Info{}, err
	}
	defer content.Close()
	_, err = s.core.Client.PutObject(ctx, s.bucket, key, content, content.size, minio.PutObjectOptions{
		ContentType:      contentType,
		DisableMultipart: true,
		// Signing the chunks of nothing makes one chunk, which some servers take
		// for the beginning of the next request.
		DisableContentSha256: content.size == 0,
	})
	if err != nil {
		return blob.Info{}, err
	}
	// The server gives the time in whole seconds, and only when asked.
	return blob.Info{Key: key, Size: content.size, ContentType: contentType, ModTime: s.now().UTC().Truncate(time.Second)}, nil
}

// Get opens an object; its content follows in the same answer.
func (s *Store) Get(ctx context.Context, key string) (io.ReadCloser, blob.Info, error) {
	if err := blob.ValidKey(key); err != nil {
		return nil, blob.Info{}, fmt.Errorf("get %s: %w", key, err)
	}
	r, o, _, err := s.core.GetObject(ctx, s.bucket, key, minio.GetObjectOptions{})
	if err != nil {
		return nil, blob.Info{}, fmt.Errorf("get %s: %w", key, s.explain(ctx, key, err))
	}
	o.Key = key
	return r, describe(o), nil
}

// Stat describes an object.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	if err := blob.ValidKey(key); err != nil {
		return blob.Info{}, fmt.Errorf("stat %s: %w", key, err)
	}
	o, err := s.core.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return blob.Info{}, fmt.Errorf("stat %s: %w", key, s.explain(ctx, key, err))
	}
	o.Key = key
	return describe(o), nil
}

// Delete removes objects, up to a thousand in a request.
func (s *Store) Delete(ctx context.Context, keys ...string) error {
	objects := make(chan minio.ObjectInfo, len(keys))
	for _, key := range keys {
		if err := blob.ValidKey(key); err != nil {
			return fmt.Errorf("delete: %w", err)
		}
		objects <- minio.ObjectInfo{Key: key}
	}
	close(objects)
	var errs []error
	for e := range s.core.RemoveObjects(ctx, s.bucket, objects, minio.RemoveObjectsOptions{}) {
		if err := translateError(e.Err); !errors.Is(err, blob.ErrNotFound) {
			errs = append(errs, fmt.Errorf("delete %s: %w", e.ObjectName, err))
		}
	}
	return errors.Join(append(errs, ctx.Err())...)
}

// List reads the bucket a thousand keys at a time.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		err := errors.Join(blob.ValidPrefix(prefix), ctx.Err())
		if err != nil {
			yield(blob.Info{}, fmt.Errorf("list %q: %w", prefix, err))
			return
		}
		for o := range s.core.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
			if o.Err != nil {
				yield(blob.Info{}, fmt.Errorf("list %q: %w", prefix, o.Err))
				return
			}
			if blob.ValidKey(o.Key) != nil {
				continue // not one of ours
			}
			if !yield(blob.Info{Key: o.Key, Size: o.Size, ModTime: o.LastModified.UTC()}, nil) {
				return
			}
		}
	}
}

// Ping asks for the bucket.
func (s *Store) Ping(ctx context.Context) error {
	exists, err := s.exists(ctx)
	if err == nil && !exists {
		err = errors.New("bucket is gone")
	}
	if err != nil {
		return fmt.Errorf("ping bucket %s: %w", s.bucket, err)
	}
	return nil
}

func describe(o minio.ObjectInfo) blob.Info {
	return blob.Info{Key: o.Key, Size: o.Size, ContentType: o.ContentType, ModTime: o.LastModified.UTC()}
}

// explain turns the server's word for a missing object into ours. Servers that forbid
// listing the whole bucket say of what is missing that it is forbidden, as AWS does;
// a list of this key alone tells the two apart.
func (s *Store) explain(ctx context.Context, key string, err error) error {
	if minio.ToErrorResponse(err).Code != minio.AccessDenied {
		return translateError(err)
	}
	if found, failed := s.findKey(ctx, key); failed == nil && found != key {
		return blob.ErrNotFound
	}
	return err
}

// translateError turns the server's word for a missing object into ours.
func translateError(err error) error {
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return blob.ErrNotFound
	}
	return err
}
