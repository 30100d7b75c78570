package quote

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/web"
)

// Comparison is two quotes of an account beside each other.
type Comparison struct {
	OK      bool          `json:"ok"`
	From    ComparedQuote `json:"from"`
	To      ComparedQuote `json:"to"`
	Changes []Change      `json:"changes"`
	// SameFiles: both were made of files of equal content.
	SameFiles bool           `json:"same_files"`
	Files     []ComparedFile `json:"files"` // those that differ, by name
	// CopperURL is a page that shows what was added and removed on each layer; none where the
	// files are the same.
	CopperURL string `json:"copper_url,omitempty"`
}

// ComparedQuote names one of the two.
type ComparedQuote struct {
	QuoteID     string    `json:"quote_id"`
	Mode        string    `json:"mode"`
	Quantity    int       `json:"quantity"`
	Total       *string   `json:"total"`
	TotalCents  *int64    `json:"total_cents"`
	CheckoutURL string    `json:"checkout_url"`
	CreatedAt   time.Time `json:"created_at"`
	ExpiresAt   time.Time `json:"expires_at"`
}

// ComparedFile is a file that the two quotes do not have alike; null where one has none.
type ComparedFile struct {
	Name string        `json:"name"`
	From *FileStanding `json:"from"`
	To   *FileStanding `json:"to"`
}

// FileStanding is a file's content and what it was taken for.
type FileStanding struct {
	SHA256 string `json:"sha256,omitempty"` // "" where the upload's list is kept no more
	Role   string `json:"role"`
	Side   string `json:"side,omitempty"`
	Layer  int    `json:"layer,omitempty"` // copper layers, 1 = top
}

// Compare answers GET /v1/quotes/{quote_id}/compare/{other_quote_id}.
func (q *Quotes) Compare(c *web.Call) error {
	fromID, from, _, err := q.find(c, "quote_id")
	if err != nil {
		return err
	}
	toID, to, _, err := q.find(c, "other_quote_id")
	if err != nil {
		return err
	}
	r := Comparison{OK: true, From: q.describeQuote(fromID, from), To: q.describeQuote(toID, to), Changes: findChanges(from, to), SameFiles: from.Digest == to.Digest, Files: []ComparedFile{}}
	if !r.SameFiles {
		if r.Files, err = q.compareFiles(c.Context(), from, to); err != nil {
			return err
		}
		r.CopperURL = r.To.CheckoutURL + "/report?earlier=" + fromID
	}
	return c.JSON(http.StatusOK, r)
}

func (q *Quotes) describeQuote(id string, of quotes.Quote) ComparedQuote {
	return ComparedQuote{
		QuoteID: id, Mode: of.Mode, Quantity: of.Reply.Quantity, Total: of.Reply.Total, TotalCents: of.Reply.TotalCents,
		CheckoutURL: q.checkoutURL(id), CreatedAt: millis(of.CreatedAt), ExpiresAt: millis(of.ExpiresAt),
	}
}

func (q *Quotes) compareFiles(ctx context.Context, from, to quotes.Quote) ([]ComparedFile, error) {
	before, err := q.filesOf(ctx, from)
	if err != nil {
		return nil, err
	}
	after, err := q.filesOf(ctx, to)
	if err != nil {
		return nil, err
	}
	names := slices.Collect(maps.Keys(before))
	names = slices.AppendSeq(names, maps.Keys(after))
	slices.Sort(names)
	out := []ComparedFile{}
	for _, name := range slices.Compact(names) {
		a, b := before[name], after[name]
		if a == nil || b == nil || *a != *b {
			out = append(out, ComparedFile{Name: name, From: a, To: b})
		}
	}
	return out, nil
}

// filesOf are the files that a quote was made of, by name, as far as they are known.
func (q *Quotes) filesOf(ctx context.Context, of quotes.Quote) (map[string]*FileStanding, error) {
	out := map[string]*FileStanding{}
	read, _, err := outcome.Read[boards.ReadFiles](ctx, q.Docs, string(contract.BoardAggregate), of.Digest)
	if err != nil {
		return nil, err
	}
	for _, f := range read.Files {
		out[f.Name] = &FileStanding{Role: f.Role, Side: f.Side, Layer: f.Layer}
	}
	up, _, err := outcome.Read[uploads.Upload](ctx, q.Docs, string(contract.UploadAggregate), of.Upload)
	if err != nil {
		return nil, err
	}
	if up.Digest != boards.FilesDigest(of.Digest) { // more files have come since
		return out, nil
	}
	for _, f := range up.Files {
		if out[f.Name] == nil {
			out[f.Name] = &FileStanding{}
		}
		out[f.Name].SHA256 = f.SHA256
	}
	return out, nil
}
