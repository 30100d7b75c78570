package standalone_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"boardorder/deploy/standalone"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"

	"go.uber.org/zap"
)

// A client of a system of its own.
type system struct {
	standalone.Ready
	*standalone.System
	dir  string
	http *http.Client
	// recorder holds all that is published to the AsyncAPI document; none in benchmarks.
	recorder *recorder
}

func start(t testing.TB, vars map[string]string) *system {
	t.Helper()
	return startIn(t, t.TempDir(), vars)
}

func startIn(t testing.TB, dir string, vars map[string]string) *system {
	t.Helper()
	return startWith(t, standalone.Config{DataDir: dir, Env: vars})
}

func startWith(t testing.TB, cfg standalone.Config) *system {
	t.Helper()
	env := realStores(t, cfg.DataDir)
	env["PART_SOURCING_INDEX_WAIT"] = "10m" // prices of parts do not depend on how busy the machine is
	maps.Copy(env, cfg.Env)
	cfg.Addr, cfg.Env, cfg.LazySync = "127.0.0.1:0", env, true
	running, err := standalone.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	s := &system{Ready: running.Ready(), System: running, dir: cfg.DataDir, http: &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 300},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	t.Cleanup(func() {
		s.http.CloseIdleConnections()
		if err := running.Close(); err != nil {
			t.Errorf("close the system: %v", err)
		}
	})
	if _, measured := t.(*testing.B); !measured {
		s.recorder = record(t, s.NATSURL)
	}
	return s
}

// realStores lets the same tests run over real stores: MONGO_URI and S3_URL name
// servers, on which each data folder has a database and a bucket of its own.
func realStores(t testing.TB, dir string) map[string]string {
	t.Helper()
	env := map[string]string{}
	own := contract.DeriveID(dir)
	for _, name := range []string{"MONGO_URI", "S3_URL"} {
		if os.Getenv(name) == "" {
			continue
		}
		u, err := url.Parse(os.Getenv(name))
		if err != nil {
			t.Fatal(err)
		}
		u.Path = "/main-" + own
		env[name] = u.String()
	}
	return env
}

// sample is the path of the board that ships with the system.
func (s *system) sample(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(s.dir, "sample-board.zip"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// roundTrip sends a request and reads the whole answer.
func (s *system) roundTrip(t testing.TB, req *http.Request) (*http.Response, []byte) {
	t.Helper()
	resp, err := s.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, data
}

func (s *system) do(t testing.TB, method, path, kind string, body io.Reader) (int, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, s.BaseURL+path, body)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", s.APIKey)
	if kind != "" {
		req.Header.Set("Content-Type", kind)
	}
	resp, data := s.roundTrip(t, req)
	return resp.StatusCode, data
}

func (s *system) post(t testing.TB, path, kind string, body io.Reader) (int, []byte) {
	t.Helper()
	return s.do(t, http.MethodPost, path, kind, body)
}

// get decodes a reply of status 200.
func (s *system) get(t testing.TB, path string, into any) {
	t.Helper()
	status, data := s.do(t, http.MethodGet, path, "", nil)
	if status != http.StatusOK {
		t.Fatalf("GET %s: %d %s, want 200", path, status, data)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("GET %s: %v; want JSON for a %T, got %s", path, err, into, data)
	}
}

// boardForm is a form with a board in it, and its media type.
func boardForm(t testing.TB, zip []byte) (kind string, form *bytes.Buffer) {
	t.Helper()
	return fileForm(t, "board.zip", zip)
}

func fileForm(t testing.TB, name string, content []byte) (kind string, form *bytes.Buffer) {
	t.Helper()
	form = &bytes.Buffer{}
	w := multipart.NewWriter(form)
	part, err := w.CreateFormFile("files", name)
	if err == nil {
		_, err = part.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), form
}

// upload sends one file and gives the upload_id.
func (s *system) upload(t testing.TB, zip []byte) string {
	t.Helper()
	kind, form := boardForm(t, zip)
	var reply struct {
		UploadID string `json:"upload_id"`
	}
	status, data := s.post(t, "/v1/uploads", kind, form)
	if status != http.StatusCreated || json.Unmarshal(data, &reply) != nil || reply.UploadID == "" {
		t.Fatalf("upload %d bytes: %d %s; want 201 and an upload_id", len(zip), status, data)
	}
	return reply.UploadID
}

// sendCommand sends what no address of the API sends.
func (s *system) sendCommand(t testing.TB, c contract.Command) {
	t.Helper()
	b, err := bus.Connect(t.Context(), bus.Config{URL: s.NATSURL, Name: "test", Log: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := errors.Join(b.Verify(t.Context()), b.Send(t.Context(), c)); err != nil {
		t.Fatal(err)
	}
}
