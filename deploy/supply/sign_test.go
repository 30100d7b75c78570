package main

import (
	"bytes"
	"encoding/json"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

const commit = "0123456789abcdef0123456789abcdef01234567"

// release is a registry with two images, and a key.
type release struct {
	dir, key, bill string
	images         []name.Digest
}

func newRelease(t *testing.T) *release {
	t.Helper()
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(s.Close)
	dir := t.TempDir()
	r := &release{dir: dir, key: filepath.Join(dir, "release.key"), bill: filepath.Join(dir, "sbom.json")}
	for _, program := range []string{"edge", "pricing"} {
		img, err := random.Image(64, 1)
		if err != nil {
			t.Fatal(err)
		}
		at, err := name.NewTag(strings.TrimPrefix(s.URL, "http://") + "/boardorder/" + program + ":v1")
		if err != nil {
			t.Fatal(err)
		}
		digest, err := img.Digest()
		if err == nil {
			err = remote.Write(at, img)
		}
		if err != nil {
			t.Fatal(err)
		}
		r.images = append(r.images, at.Context().Digest(digest.String()))
	}
	if err := run([]string{"keygen", r.key}, io.Discard); err != nil {
		t.Fatal(err)
	}
	var made bytes.Buffer
	if err := writeBill(&made, []program{{"edge", "go1.26", []module{{"a.example/b", "v1.2.3", "h1:AAAA"}}, nil}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(r.bill, made.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *release) sign(d name.Digest, more ...string) error {
	args := append([]string{"sign", "-key", r.key, "-sbom", r.bill, "-commit", commit, "-service", "edge"}, more...)
	return run(append(args, d.String()), io.Discard)
}

func (r *release) verify(d name.Digest, key string) error {
	return run([]string{"verify", "-key", key, d.String()}, io.Discard)
}

// TestSign: an image is verified with the key that signed it, and says what it is
// made of and from which commit; no other image and no other key is.
func TestSign(t *testing.T) {
	t.Parallel()
	r := newRelease(t)
	edge, pricing := r.images[0], r.images[1]
	if err := r.verify(edge, r.key+".pub"); err == nil {
		t.Error("an image that nobody signed is verified")
	}
	if err := r.sign(edge); err != nil {
		t.Fatal(err)
	}
	if err := r.verify(edge, r.key+".pub"); err != nil {
		t.Errorf("a signed image: %v", err)
	}
	if err := r.verify(pricing, r.key+".pub"); err == nil {
		t.Error("the other image is verified too")
	}
	key, err := publicKey(r.key + ".pub")
	if err != nil {
		t.Fatal(err)
	}
	stated, err := statements(key, edge)
	if err != nil || !strings.Contains(string(stated[billKind]), "pkg:golang/a.example/b@v1.2.3") || !strings.Contains(string(stated[provenanceKind]), commit) {
		t.Errorf("it is stated of it %s, %v", stated, err)
	}
	other := filepath.Join(r.dir, "other.key")
	if err := run([]string{"keygen", other}, io.Discard); err != nil {
		t.Fatal(err)
	}
	if err := r.verify(edge, other+".pub"); err == nil {
		t.Error("another key verifies it")
	}
}

// TestForgedSignatures: what somebody else puts beside an image, or what was
// signed for another image, is believed by nobody.
func TestForgedSignatures(t *testing.T) {
	t.Parallel()
	r := newRelease(t)
	edge, pricing := r.images[0], r.images[1]
	if err := r.sign(edge); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"sig", "att"} { // moved beside another image
		all, err := pull(attachmentTag(edge, what))
		if err == nil {
			err = push(attachmentTag(pricing, what), all...)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := r.verify(pricing, r.key+".pub"); err == nil {
		t.Error("the signature of another image counts")
	}
	all, err := pull(attachmentTag(edge, "sig"))
	if err != nil {
		t.Fatal(err)
	}
	all[0].text = bytes.Replace(all[0].text, []byte(`"optional":null`), []byte(`"optional":{}`), 1)
	if err := push(attachmentTag(edge, "sig"), all...); err != nil {
		t.Fatal(err)
	}
	if err := r.verify(edge, r.key+".pub"); err == nil {
		t.Error("a changed text counts")
	}
	if err := r.sign(edge); err != nil {
		t.Fatal(err)
	}
	stated, err := pull(attachmentTag(edge, "att"))
	if err != nil {
		t.Fatal(err)
	}
	var e envelope
	if err := json.Unmarshal(stated[0].text, &e); err != nil {
		t.Fatal(err)
	}
	e.Payload = "e30="
	if stated[0].text, err = json.Marshal(e); err == nil {
		err = push(attachmentTag(edge, "att"), stated...)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := r.verify(edge, r.key+".pub"); err == nil {
		t.Error("a changed statement counts")
	}
}

func TestSignRefuses(t *testing.T) {
	t.Parallel()
	r := newRelease(t)
	edge := r.images[0]
	if err := run([]string{"sign", "-key", r.key, "-sbom", r.bill, "-commit", commit, edge.Context().Tag("v1").String()}, io.Discard); err == nil {
		t.Error("a tag was signed, which may be another image tomorrow")
	}
	if err := r.sign(edge.Context().Digest("sha256:" + strings.Repeat("1", 64))); err == nil {
		t.Error("an image that is not there was signed")
	}
	if err := r.sign(edge, "-commit", "main"); err == nil {
		t.Error("a branch was taken for a commit")
	}
	if err := run([]string{"keygen", r.key}, io.Discard); err == nil {
		t.Error("a key was overwritten")
	}
	if err := os.Chmod(r.key, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := r.sign(edge); err == nil {
		t.Error("a key that others can read was used")
	}
}
