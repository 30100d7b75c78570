// Package bucket makes the bucket of the files, its users and its policy, so
// that each service reaches the prefixes that package access gives it and no
// more.
package bucket

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"boardorder/deploy/access"
	"boardorder/pkg/blob/s3"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"
)

// region is what the gateway calls itself unless configured otherwise.
const region = "us-east-1"

// Users makes or changes the users at a Versity gateway, with its root's
// credentials in target. secrets holds a secret key for each. Elsewhere users
// are made with the provider's own tools.
func Users(ctx context.Context, target s3.Config, secrets map[string]string) error {
	for _, u := range access.Services() {
		secret := secrets[u.Name]
		if secret == "" {
			return fmt.Errorf("%s is empty", access.FilesVariable(u.Name))
		}
		status, err := patch(ctx, target, "/create-user", account{Access: u.Name, Secret: secret, Role: "user"})
		if status == http.StatusConflict {
			status, err = patch(ctx, target, "/update-user?access="+url.QueryEscape(u.Name), account{Secret: secret, Role: "user"})
		}
		if err != nil {
			return fmt.Errorf("user %s: %w", u.Name, err)
		}
		if status/100 != 2 {
			return fmt.Errorf("user %s: the gateway answers %d", u.Name, status)
		}
	}
	return nil
}

// An account is a user as the gateway's admin interface takes it.
type account struct {
	XMLName xml.Name `xml:"Account"`
	Access  string   `xml:",omitempty"`
	Secret  string
	Role    string
}

// patch sends a signed request of the admin interface and gives its status.
func patch(ctx context.Context, target s3.Config, path string, a account) (int, error) {
	body, err := xml.Marshal(a)
	if err != nil {
		return 0, err
	}
	scheme := "http"
	if target.TLS {
		scheme = "https"
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPatch, scheme+"://"+target.Host+path, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	sum := sha256.Sum256(body)
	r.Header.Set("X-Amz-Content-Sha256", hex.EncodeToString(sum[:]))
	signed := signer.SignV4(*r, target.Key, target.Secret, "", region)
	answer, err := http.DefaultClient.Do(signed)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, 1<<20))
	return answer.StatusCode, err
}

// Policy makes the bucket unless it is there, and sets its policy.
func Policy(ctx context.Context, target s3.Config) error {
	if target.Bucket != access.Bucket {
		return fmt.Errorf("S3_URL: the policy is for bucket %s, not %s", access.Bucket, target.Bucket)
	}
	client, err := minio.New(target.Host, &minio.Options{
		Creds: credentials.NewStaticV4(target.Key, target.Secret, ""), Secure: target.TLS, Region: target.Region, BucketLookup: minio.BucketLookupPath,
	})
	if err != nil {
		return err
	}
	exists, err := client.BucketExists(ctx, target.Bucket)
	if err == nil && !exists {
		err = client.MakeBucket(ctx, target.Bucket, minio.MakeBucketOptions{Region: target.Region})
	}
	if err != nil {
		return fmt.Errorf("bucket %s: %w", target.Bucket, err)
	}
	if err := client.SetBucketPolicy(ctx, target.Bucket, string(access.FilePolicy())); err != nil {
		return fmt.Errorf("policy of bucket %s: %w", target.Bucket, err)
	}
	return nil
}
