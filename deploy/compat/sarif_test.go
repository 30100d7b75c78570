package compat_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"boardorder/deploy/clients/board/cli"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
)

// TestSARIF: what board check prints for code scanning is SARIF 2.1.0 by the schema that OASIS publishes, whatever the design's files and
// nets are called; a judge that takes everything would not refuse a level that there is none of.
func TestSARIF(t *testing.T) {
	t.Parallel()
	for name, words := range map[string]string{
		"usual": "2 traces touch", "hostile": "a\x00b\x1b[2J\"}]},\u202e ../../etc/passwd %00 \n::error::x", "not UTF-8": "a\xff\xfeb", "long": strings.Repeat("GND ", 5000), "empty": "",
	} {
		text, err := json.Marshal(words)
		if err != nil {
			t.Fatal(err)
		}
		service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"ok":true,"status":"must_fix","report_url":"https://x/r","findings":[{"level":"must_fix","check":"short","what":%[1]s,"file":%[1]s,"line":3,"image_url":"https://x/i.png"},{"level":"note","check":"x","what":"seen"},{"level":"another","check":"x","what":"of a later release"}]}`, text)
		}))
		defer service.Close()
		vars := map[string]string{"BOARD_URL": service.URL, "BOARD_API_KEY": "bo_test_1"}
		var out, failures bytes.Buffer
		cli.Run(t.Context(), cli.Env{In: strings.NewReader(""), Out: &out, Err: &failures, Getenv: func(n string) string { return vars[n] }}, []string{"check", "--sarif", "--upload", "up_1"})
		report, err := readSARIF(out.String())
		if err != nil || len(report.Runs) != 1 || len(report.Runs[0].Results) != 3 {
			t.Errorf("%s: %v; want one run with three results\n%.600s\n%s", name, err, out.String(), failures.String())
		}
		if _, err := readSARIF(strings.Replace(out.String(), `"level": "error"`, `"level": "dreadful"`, 1)); err == nil {
			t.Errorf("%s: the judge takes a level that there is none of", name)
		}
	}
}

// readSARIF reads a text that holds to the schema. What the library does not know it would leave out before it judges.
func readSARIF(text string) (*sarif.Report, error) {
	known := json.NewDecoder(strings.NewReader(text))
	known.DisallowUnknownFields()
	if err := known.Decode(&sarif.Report{}); err != nil {
		return nil, err
	}
	report, err := sarif.FromString(text)
	if err != nil {
		return nil, err
	}
	for _, r := range report.Runs { // what the library writes empty where a text has none, which its schema refuses
		r.Language, r.Tool.Driver.Language, r.NewlineSequences = "en-US", "en-US", []string{"\n"}
	}
	return report, report.Validate()
}
