package intake

import (
	"strings"
	"testing"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/contract"
	"boardorder/pkg/worker"
)

// TestRefusalsAreSentences: what is said of an archive can be read by itself.
func TestRefusalsAreSentences(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]*contract.Refusal{
		"an archive": refusal(&archive.Error{Code: archive.Damaged, Archive: "a.zip", Reason: "is cut off"}),
		"a member":   refusal(&archive.Error{Code: archive.Damaged, Archive: "a.zip", Member: "b.gbr", Reason: "is cut off"}),
		"no archive": refuseNonArchive("a.zip"), "too hard": refuseHardArchive("a.zip", worker.ErrTime),
	} {
		m := r.Fields[0].Message
		if !strings.HasPrefix(m, "The ") && !strings.HasPrefix(m, "This ") || !strings.HasSuffix(m, ".") || strings.Count(m, "..") > 0 {
			t.Errorf("%s: %q, want a sentence that begins with The or This and ends with one full stop", name, m)
		}
	}
}
