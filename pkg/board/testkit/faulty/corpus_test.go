package faulty_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/testkit/corpus"
)

// A verdict is what a person thinks of one must_fix of a design.
type verdict struct{ design, check, real, why string }

// isPublished tells whether a design is as somebody published it, not one that was
// broken on purpose.
func isPublished(name string) bool {
	return !strings.HasPrefix(name, "broken-") && !strings.HasPrefix(name, "fault-")
}

// TestCorpus holds every must_fix on the published designs to what people who
// looked at the place think of it: at most one design in twenty may have one that
// is no real fault.
func TestCorpus(t *testing.T) {
	t.Parallel()
	known := map[[2]string]verdict{}
	for _, row := range corpus.Table(t, filepath.Join("testdata", "mustfix.csv")) {
		v := verdict{row["design"], row["check"], row["real"], row["why"]}
		if v.real != "real" && v.real != "false" || v.why == "" {
			t.Errorf("mustfix.csv: %+v, want real or false, and why", v)
		}
		known[[2]string{v.design, v.check}] = v
	}
	if testing.Short() {
		t.Skip("the corpus takes a while")
	}
	all := designs(t)
	var text bytes.Buffer
	w := tabwriter.NewWriter(&text, 0, 4, 2, ' ', 0)
	count, wrong, seen := 0, map[string]bool{}, map[[2]string]bool{}
	for _, d := range all {
		if d.err != nil {
			t.Errorf("%s cannot be checked: %v", d.name, d.err)
			continue
		}
		if !isPublished(d.name) || len(d.reports) == 0 {
			continue
		}
		count++
		status := "pass"
		var faults []string
		for i, r := range d.reports {
			for _, f := range r.Findings {
				if f.Level == dfm.Warning && status == "pass" {
					status = "warning"
				}
				if f.Level != dfm.MustFix {
					continue
				}
				status = "must_fix"
				v, ok := known[[2]string{d.name, string(f.Check)}]
				if !ok {
					t.Errorf("nobody has looked at this: %s, board %s: %s", d.name, d.project.Boards[i].Name, say(&f))
				}
				seen[[2]string{d.name, string(f.Check)}] = true
				if v.real == "false" {
					wrong[d.name] = true
				}
				faults = append(faults, fmt.Sprintf("%s x%d %s", f.Check, f.Count, v.real))
			}
		}
		fmt.Fprintf(w, "%s\t%s\t%s\n", d.name, status, strings.Join(faults, ", "))
	}
	_ = w.Flush()
	t.Logf("\n%s", text.String())
	for key, v := range known {
		if !seen[key] {
			t.Errorf("mustfix.csv judges what is not found: %+v", v)
		}
	}
	t.Logf("%d published designs, %d with a must_fix that is no real fault: %v", count, len(wrong), keys(wrong))
	if len(wrong)*20 > count {
		t.Errorf("%d of %d designs have a must_fix that is no real fault, more than one in twenty", len(wrong), count)
	}
}

func keys(m map[string]bool) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
