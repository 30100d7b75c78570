package main

import (
	"bytes"
	"crypto/ecdsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	payloadLayer  = types.MediaType("application/vnd.dev.cosign.simplesigning.v1+json")
	envelopeLayer = types.MediaType("application/vnd.dsse.envelope.v1+json")
	signatureNote = "dev.cosignproject.cosign/signature"
	predicateNote = "predicateType"
)

// keychain is what docker login has kept.
var keychain = remote.WithAuthFromKeychain(authn.DefaultKeychain)

// image is an image by its digest: a tag may be another image tomorrow.
func image(text string) (name.Digest, error) {
	d, err := name.NewDigest(text)
	if err != nil {
		return d, fmt.Errorf("%s: an image is signed by its digest, registry/name@sha256:…: %w", text, err)
	}
	return d, nil
}

// attachmentTag is where what is said of an image is kept: a tag that is named by its digest.
func attachmentTag(d name.Digest, what string) name.Tag {
	return d.Context().Tag(strings.ReplaceAll(d.DigestStr(), ":", "-") + "." + what)
}

// sign signs an image and what is stated of it, and puts both beside it.
func sign(key *ecdsa.PrivateKey, d name.Digest, about map[string]json.RawMessage) error {
	if _, err := remote.Head(d, keychain); err != nil {
		return fmt.Errorf("%s is not in its registry: %w", d, err)
	}
	text, err := payloadOf(d.Context().Name(), d.DigestStr())
	if err != nil {
		return err
	}
	sig, err := signText(key, text)
	if err != nil {
		return err
	}
	if err := push(attachmentTag(d, "sig"), layer{text, payloadLayer, map[string]string{signatureNote: sig}}); err != nil {
		return err
	}
	var layers []layer
	for kind, predicate := range about {
		subjects := []subject{{d.Context().Name(), map[string]string{"sha256": strings.TrimPrefix(d.DigestStr(), "sha256:")}}}
		text, err := envelop(key, statement{statementKind, kind, subjects, predicate})
		if err != nil {
			return err
		}
		layers = append(layers, layer{text, envelopeLayer, map[string]string{signatureNote: "", predicateNote: kind}})
	}
	return push(attachmentTag(d, "att"), layers...)
}

type layer struct {
	text  []byte
	kind  types.MediaType
	notes map[string]string
}

func push(at name.Tag, layers ...layer) error {
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, l := range layers {
		var err error
		if img, err = mutate.Append(img, mutate.Addendum{Layer: static.NewLayer(l.text, l.kind), Annotations: l.notes}); err != nil {
			return err
		}
	}
	return remote.Write(at, img, keychain)
}

// verify is nil where an image is signed with a key and its bill of materials and
// provenance are stated with it.
func verify(key *ecdsa.PublicKey, d name.Digest) error {
	if err := verifySignature(key, d); err != nil {
		return fmt.Errorf("%s: %w", d, err)
	}
	stated, err := statements(key, d)
	if err != nil {
		return fmt.Errorf("%s: %w", d, err)
	}
	for _, kind := range []string{billKind, provenanceKind} {
		if len(stated[kind]) == 0 {
			return fmt.Errorf("%s: nothing signed states its %s", d, kind)
		}
	}
	return nil
}

func verifySignature(key *ecdsa.PublicKey, d name.Digest) error {
	all, err := pull(attachmentTag(d, "sig"))
	if err != nil {
		return fmt.Errorf("no signature: %w", err)
	}
	for _, l := range all {
		var p payload
		if !holds(key, l.text, l.notes[signatureNote]) || json.Unmarshal(l.text, &p) != nil {
			continue
		}
		if c := p.Critical; c.Type == payloadKind && c.Image.Digest == d.DigestStr() && c.Identity.Reference == d.Context().Name() {
			return nil
		}
	}
	return errors.New("no signature of this key for this image")
}

// statements are the predicates that are stated of an image with a key, by kind.
func statements(key *ecdsa.PublicKey, d name.Digest) (map[string]json.RawMessage, error) {
	all, err := pull(attachmentTag(d, "att"))
	if err != nil {
		return nil, fmt.Errorf("no statements: %w", err)
	}
	out := map[string]json.RawMessage{}
	for _, l := range all {
		s, err := openEnvelope(key, l.text)
		if err != nil {
			continue
		}
		for _, about := range s.Subject {
			if s.Type == statementKind && "sha256:"+about.Digest["sha256"] == d.DigestStr() {
				out[s.PredicateType] = s.Predicate
			}
		}
	}
	return out, nil
}

// maxText is more than any signature or statement has.
const maxText = 32 << 20

func pull(at name.Tag) ([]layer, error) {
	img, err := remote.Image(at, keychain)
	if err != nil {
		return nil, err
	}
	m, err := img.Manifest()
	if err != nil {
		return nil, err
	}
	var out []layer
	for _, d := range m.Layers {
		text, err := content(img, d)
		if err != nil {
			return nil, err
		}
		out = append(out, layer{text, d.MediaType, d.Annotations})
	}
	return out, nil
}

func content(img v1.Image, d v1.Descriptor) ([]byte, error) {
	l, err := img.LayerByDigest(d.Digest)
	if err != nil {
		return nil, err
	}
	r, err := l.Compressed() // as it is kept: nothing here is compressed
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // read only
	var text bytes.Buffer
	if _, err := io.Copy(&text, io.LimitReader(r, maxText)); err != nil {
		return nil, err
	}
	return text.Bytes(), nil
}
