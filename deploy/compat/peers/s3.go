package peers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

// StartS3 returns the URL of a bucket that does not exist yet and is removed
// with the test: on the server of the bucket that S3_URL names, or on a
// Versity gateway.
//
// There is one gateway in a process, started with the first call, and it makes
// its folder the working folder of the process: use no relative paths.
func StartS3(t testing.TB) string {
	t.Helper()
	target := os.Getenv("S3_URL")
	if target == "" {
		server, err := gateway()
		if err != nil {
			t.Fatalf("start S3 gateway: %v", err)
		}
		target = server
	}
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal("S3_URL cannot be read as a URL")
	}
	bucket := "compat-" + strings.ToLower(rand.Text()[:12])
	u.Path = "/" + bucket
	t.Cleanup(func() {
		if err := removeBucket(u, bucket); err != nil {
			t.Errorf("remove bucket %s: %v", bucket, err)
		}
	})
	return u.String()
}

func removeBucket(u *url.URL, bucket string) error {
	secret, _ := u.User.Password()
	client, err := minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(u.User.Username(), secret, ""),
		Secure: u.Scheme != "http" && u.Query().Get("tls") != "off",
		Region: u.Query().Get("region"),
	})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for o := range client.ListObjectsIter(ctx, bucket, minio.ListObjectsOptions{Recursive: true}) {
		if o.Err != nil {
			return ignoreMissing(o.Err)
		}
		if err := client.RemoveObject(ctx, bucket, o.Key, minio.RemoveObjectOptions{}); err != nil {
			return err
		}
	}
	return ignoreMissing(client.RemoveBucket(ctx, bucket))
}

func ignoreMissing(err error) error {
	if minio.ToErrorResponse(err).Code == minio.NoSuchBucket {
		return nil
	}
	return err
}

// StopS3 stops the gateway, if it runs, and removes its folder. TestMain calls
// it after the tests.
func StopS3() error {
	running.Lock()
	defer running.Unlock()
	if running.stop == nil {
		return nil
	}
	running.stop()
	err := <-running.done
	if errors.Is(err, context.Canceled) {
		err = nil
	}
	running.stop = nil
	return errors.Join(err, os.Chdir(os.TempDir()), os.RemoveAll(running.dir))
}

// running is the one gateway that a process can have: the library's own rule.
var running struct {
	sync.Mutex
	url, dir string
	stop     context.CancelFunc
	done     chan error
}

func gateway() (string, error) {
	running.Lock()
	defer running.Unlock()
	if running.stop != nil {
		return running.url, nil
	}
	dir, err := os.MkdirTemp("", "s3-*")
	if err != nil {
		return "", err
	}
	address, err := freeAddress()
	if err != nil {
		return "", err
	}
	backend, err := storage(dir)
	if err != nil {
		return "", err
	}
	ctx, stop := context.WithCancel(context.Background())
	running.dir, running.stop, running.done = dir, stop, make(chan error, 1)
	running.url = "http://compat:" + rand.Text() + "@" + address + "/"
	go func() {
		running.done <- embedgw.RunVersityGW(ctx, backend, config(running.url, address, filepath.Join(dir, "users")))
	}()
	return running.url, ready(address, running.done)
}

// storage keeps what S3 knows of an object beside the folder, for file systems
// without extended attributes.
func storage(dir string) (*posix.Posix, error) {
	root, side := filepath.Join(dir, "root"), filepath.Join(dir, "meta")
	if err := errors.Join(os.Mkdir(root, 0o700), os.Mkdir(side, 0o700), os.Mkdir(filepath.Join(dir, "users"), 0o700)); err != nil {
		return nil, err
	}
	attributes, err := meta.NewSideCar(side)
	if err != nil {
		return nil, err
	}
	return posix.New(root, attributes, posix.PosixOpts{
		SideCarDir: side, CopyObjectThreshold: 5 << 30, Concurrency: 64,
	})
}

func config(target, address, users string) *embedgw.Config {
	u, _ := url.Parse(target) // made by gateway
	secret, _ := u.User.Password()
	return &embedgw.Config{
		RootUserAccess: u.User.Username(), RootUserSecret: secret, Ports: []string{address},
		MaxConnections: 256, MaxRequests: 128, MultipartMaxParts: 10_000,
		HealthPath: "/healthz", Quiet: true, KeepAlive: true, IAMDir: users,
	}
}

// freeAddress is one that nobody listens on; the gateway cannot pick one.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func ready(address string, done <-chan error) error {
	client := http.Client{Timeout: time.Second}
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		response, err := client.Get("http://" + address + "/healthz")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case err := <-done:
			return fmt.Errorf("gateway ended: %w", err)
		case <-deadline:
			return errors.New("gateway does not answer")
		case <-tick.C:
		}
	}
}
