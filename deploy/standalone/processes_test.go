package standalone_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/contract/quotes"
)

// TestUploadsOfWhatIsNoPlainBoard: an upload that holds what a plain board is made without
// becomes no instant price, and the review says why; words that only look like it do.
func TestUploadsOfWhatIsNoPlainBoard(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	layer := func(function string) string {
		return "%FSLAX46Y46*%\n%MOMM*%\n%TF.FileFunction," + function + "*%\n%ADD10C,1.0*%\nD10*\nX5000000Y5000000D03*\nX7000000Y5000000D03*\nM02*\n"
	}
	for name, tt := range map[string]struct {
		file, data, reason string
	}{
		"carbon ink":             {"blinker-a.gbr", layer("Carbonmask,Top"), "carbon ink"},
		"EasyEDA's stiffener":    {"jlcpcb.json", `{"fpcStiffeners":[{"material":"pi","thickness":"0.2"}]}`, "a stiffener"},
		"back drilling in notes": {"fab_notes.txt", "Back drill from the bottom, L1 to L3\n", "back drilling"},
		"a cavity":               {"blinker-Cavity.gbr", layer("Depthrout,Top"), "milling to a depth"},
		"notes that deny it":     {"fab_notes.txt", "Back drilling: none\nNo stiffener\nImpedance control: no\nFinish: ENIG\n", ""},
	} {
		files := fmt.Sprintf(`{"upload_id":%q,"quantity":10,"standard_for_unstated":true,"skip_board_checks":true}`, s.uploadWithFiles(t, map[string]string{tt.file: tt.data}))
		q := s.quote(t, files, http.StatusCreated)
		want := quotes.ModeReview
		if tt.reason == "" {
			want = quotes.ModeInstant
		}
		if q.Mode != want || !strings.Contains(strings.Join(q.CustomQuoteReasons, " "), tt.reason) {
			t.Errorf("%s: %s, reasons %q; want %s, one of them of %q", name, q.Mode, q.CustomQuoteReasons, want, tt.reason)
		}
	}
}
