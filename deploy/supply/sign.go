package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
)

// Signatures and statements about images have cosign's formats, so that what a
// cluster admits can be decided by any tool that knows them. Nothing is written to
// a public log: who has the key is the operator.

// keygen makes a key pair: path, for its owner only, and path.pub.
func keygen(path string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	if err := writeNew(path, "PRIVATE KEY", private, 0o600); err != nil {
		return err
	}
	return writeNew(path+".pub", "PUBLIC KEY", public, 0o644)
}

// writeNew writes a file that must not be there yet: no key is lost by a second call.
func writeNew(path, kind string, der []byte, mode os.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	return errors.Join(pem.Encode(f, &pem.Block{Type: kind, Bytes: der}), f.Close())
}

func privateKey(path string) (*ecdsa.PrivateKey, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s can be read by others: chmod 600", path)
	}
	key, err := parseKey(path, x509.ParsePKCS8PrivateKey)
	if k, ok := key.(*ecdsa.PrivateKey); ok {
		return k, nil
	}
	return nil, fmt.Errorf("%s holds no ECDSA key: %w", path, err)
}

func publicKey(path string) (*ecdsa.PublicKey, error) {
	key, err := parseKey(path, x509.ParsePKIXPublicKey)
	if k, ok := key.(*ecdsa.PublicKey); ok {
		return k, nil
	}
	return nil, fmt.Errorf("%s holds no ECDSA key: %w", path, err)
}

func parseKey(path string, parse func([]byte) (any, error)) (any, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("no PEM")
	}
	return parse(block.Bytes)
}

// signText is the signature of a text, as base64 of ASN.1.
func signText(key *ecdsa.PrivateKey, text []byte) (string, error) {
	sum := sha256.Sum256(text)
	sig, err := ecdsa.SignASN1(rand.Reader, key, sum[:])
	return base64.StdEncoding.EncodeToString(sig), err
}

func holds(key *ecdsa.PublicKey, text []byte, signature string) bool {
	sig, err := base64.StdEncoding.DecodeString(signature)
	sum := sha256.Sum256(text)
	return err == nil && ecdsa.VerifyASN1(key, sum[:], sig)
}

// payload is what is signed of an image.
type payload struct {
	Critical struct {
		Identity struct {
			Reference string `json:"docker-reference"`
		} `json:"identity"`
		Image struct {
			Digest string `json:"docker-manifest-digest"`
		} `json:"image"`
		Type string `json:"type"`
	} `json:"critical"`
	Optional map[string]string `json:"optional"`
}

const payloadKind = "cosign container image signature"

func payloadOf(repository, digest string) ([]byte, error) {
	var p payload
	p.Critical.Identity.Reference, p.Critical.Image.Digest, p.Critical.Type = repository, digest, payloadKind
	return json.Marshal(p)
}

// statement is an in-toto statement: what is said of an image, and of which one.
type statement struct {
	Type          string          `json:"_type"`
	PredicateType string          `json:"predicateType"`
	Subject       []subject       `json:"subject"`
	Predicate     json.RawMessage `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

const (
	statementKind  = "https://in-toto.io/Statement/v0.1"
	billKind       = "https://cyclonedx.org/bom"
	provenanceKind = "https://slsa.dev/provenance/v1"
)

// envelope is a signed statement (DSSE).
type envelope struct {
	PayloadType string      `json:"payloadType"`
	Payload     string      `json:"payload"`
	Signatures  []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   string `json:"sig"`
}

const envelopePayload = "application/vnd.in-toto+json"

// envelopeBytes is what an envelope's signature covers: type and content, each with its length.
func envelopeBytes(kind string, content []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(content), content)
}

func envelop(key *ecdsa.PrivateKey, s statement) ([]byte, error) {
	content, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	sig, err := signText(key, envelopeBytes(envelopePayload, content))
	if err != nil {
		return nil, err
	}
	return json.Marshal(envelope{envelopePayload, base64.StdEncoding.EncodeToString(content), []signature{{Sig: sig}}})
}

// openEnvelope gives the statement of an envelope whose signature holds.
func openEnvelope(key *ecdsa.PublicKey, text []byte) (statement, error) {
	var e envelope
	var s statement
	if err := json.Unmarshal(text, &e); err != nil {
		return s, err
	}
	content, err := base64.StdEncoding.DecodeString(e.Payload)
	if err != nil {
		return s, err
	}
	for _, sig := range e.Signatures {
		if e.PayloadType == envelopePayload && holds(key, envelopeBytes(envelopePayload, content), sig.Sig) {
			return s, json.Unmarshal(content, &s)
		}
	}
	return s, errors.New("no signature of this key")
}

// provenance says from what an image was built, and how (SLSA 1).
func provenance(service, source, commit, builder string) (json.RawMessage, error) {
	if len(commit) != 40 {
		return nil, errors.New("-commit is the full id of the commit that was built")
	}
	return json.Marshal(map[string]any{
		"buildDefinition": map[string]any{
			"buildType":            "https://boardorder.example/image/v1", // deploy/docker/Dockerfile
			"externalParameters":   map[string]string{"SERVICE": service},
			"resolvedDependencies": []any{map[string]any{"uri": source, "digest": map[string]string{"gitCommit": commit}}},
		},
		"runDetails": map[string]any{"builder": map[string]string{"id": builder}},
	})
}
