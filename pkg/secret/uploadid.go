package secret

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base32"
	"strings"

	"boardorder/pkg/contract"
)

// An upload_id is 160 random bits and 80 bits that prove that it was made here,
// so that one that somebody made up is known without a look-up.
const (
	uploadRandom = 20
	uploadProof  = 10
)

var uploadText = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// NewUploadID makes the secret handle of an upload.
func (k *Keyring) NewUploadID() string {
	var random [uploadRandom]byte
	_, _ = rand.Read(random[:]) // never fails
	return contract.UploadPrefix + uploadText.EncodeToString(append(random[:], k.keys[0].proof(random[:])...))
}

// UploadID is the handle of the upload that a request shall make: the same each time it is
// asked for while the current key stays.
func (k *Keyring) UploadID(request string) string { return k.keys[0].uploadID(request) }

// UploadIDOf is the handle of the upload that a request made, whose ref is known: by
// whichever key made it. Without that key it is the current one's.
func (k *Keyring) UploadIDOf(request, ref string) string {
	for _, key := range k.keys {
		if id := key.uploadID(request); contract.SecretRef(id) == ref {
			return id
		}
	}
	return k.UploadID(request)
}

func (k key) uploadID(request string) string {
	random := sum(k.quote, "upload", request)[:uploadRandom]
	return contract.UploadPrefix + uploadText.EncodeToString(append(random, k.proof(random)...))
}

// HasMadeUploadID reports whether an upload_id was made by NewUploadID with any of
// the keys.
func (k *Keyring) HasMadeUploadID(id string) bool {
	text, ok := strings.CutPrefix(id, contract.UploadPrefix)
	raw, err := uploadText.DecodeString(text)
	if !ok || err != nil || len(raw) != uploadRandom+uploadProof || uploadText.EncodeToString(raw) != text {
		return false
	}
	made := false
	for _, key := range k.keys {
		made = hmac.Equal(raw[uploadRandom:], key.proof(raw[:uploadRandom])) || made
	}
	return made
}

func (k key) proof(random []byte) []byte {
	return sum(k.code, "upload-id", string(random))[:uploadProof]
}
