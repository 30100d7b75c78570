package report_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/browsertest"
	"boardorder/services/design-check/internal/report"

	"github.com/chromedp/chromedp"
)

// maxOnTheWire is what a report may weigh as it is sent, compressed.
const maxOnTheWire = 250_000

// reportPage checks a board as the service does and gives its report.
func reportPage(ctx context.Context, t testing.TB, b *pcb.Board) report.Pages {
	t.Helper()
	d, found := checkBoard(ctx, t, b)
	return write(ctx, t, d, b, found)
}

func wireSize(t testing.TB, page []byte) int {
	t.Helper()
	var out bytes.Buffer
	z, err := gzip.NewWriterLevel(&out, gzip.BestSpeed) // as the edge packs pages
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(page); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}

// largest are the published designs with the heaviest reports.
var largest = []string{"bb-ai", "pl-buddy", "ovc4", "hl2", "ulx3s", "vesc-bldc4", "butterstick-r10", "ts5-thunderscope-odb"}

// TestReportIsLight holds that a report of a large board reaches a phone soon.
func TestReportIsLight(t *testing.T) {
	t.Parallel()
	t.Run("a board of ten thousand tracks", func(t *testing.T) {
		t.Parallel()
		p := upload.Read(t.Context(), faulty.Series(10_000).KiCad(), upload.Options{})
		if n := wireSize(t, reportPage(t.Context(), t, p.Boards[0]).HTML); n > maxOnTheWire {
			t.Errorf("%d bytes are sent, want %d at most", n, maxOnTheWire)
		}
	})
	if testing.Short() {
		return
	}
	for _, name := range largest {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var files []upload.File
			sentFiles, _ := corpus.Upload(t, name)
			for _, f := range sentFiles {
				files = append(files, upload.File(f))
			}
			p := upload.Read(t.Context(), files, upload.Options{})
			if len(p.Boards) == 0 {
				t.Fatal("no board")
			}
			pages := reportPage(t.Context(), t, p.Boards[0])
			n, more := wireSize(t, pages.HTML), wireSize(t, pages.Places)
			t.Logf("%d bytes, %d sent; %d beside it, %d sent", len(pages.HTML), n, len(pages.Places), more)
			if n > maxOnTheWire {
				t.Errorf("%d bytes are sent, want %d at most", n, maxOnTheWire)
			}
			if dir := os.Getenv("KEEP_REPORTS"); dir != "" {
				if err := os.WriteFile(filepath.Join(dir, name+".html"), pages.HTML, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, name+".json"), pages.Places, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestReportIsAccessible holds the report to axe's rules, on a desk and on a phone,
// with nothing chosen and with a finding.
func TestReportIsAccessible(t *testing.T) {
	t.Parallel()
	ctx, _ := browsertest.Open(t)
	p := upload.Read(t.Context(), fault(t, dfm.Short).KiCad(), upload.Options{})
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, reportPage(t.Context(), t, p.Boards[0]).HTML, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1360, 390} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 844), chromedp.Navigate("file://"+file)); err != nil {
			t.Fatal(err)
		}
		browsertest.Axe(t, ctx)
		eval[bool](ctx, t, `document.querySelector("[data-finding]").click(), true`)
		browsertest.Axe(t, ctx)
	}
}
