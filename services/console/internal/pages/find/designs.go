package find

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/states"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"
)

// maxReads is how many lists of quotes are read at once.
const maxReads = 8

// digestOf is the digest of the files that an upload or a reading holds, "" of all else.
func digestOf(a contract.Aggregate, doc projection.Document) string {
	switch a {
	case contract.UploadAggregate:
		return doc.Keys["digest"]
	case contract.BoardAggregate:
		return gjson.GetBytes(doc.Body, "digest").Str
	}
	return ""
}

// digestsFound are those of uploads and readings that a file's name has found. What was
// found by its id is meant itself.
func digestsFound(found map[contract.Aggregate][]match, term string) (digests []string) {
	for a, matches := range found {
		for _, m := range matches {
			if digest := digestOf(a, m.doc); digest != "" && !states.Fits(term, m.doc.ID) {
				digests = append(digests, digest)
			}
		}
	}
	slices.Sort(digests)
	return slices.Compact(digests)
}

// quotesOf are the newest quotes of each digest.
func (s *Section) quotesOf(ctx context.Context, digests []string) (map[string][]projection.Document, error) {
	out := map[string][]projection.Document{}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(maxReads)
	for _, digest := range digests {
		group.Go(func() error {
			docs, _, err := s.Docs.List(ctx, string(contract.QuoteAggregate), "digest", digest, projection.Page{Limit: maxFind + 1})
			if err != nil {
				return fmt.Errorf("find the quotes of a design: %w", err)
			}
			mu.Lock()
			defer mu.Unlock()
			out[digest] = docs
			return nil
		})
	}
	return out, group.Wait()
}
