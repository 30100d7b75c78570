package truth

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// TablesOfFirstRuns are the tables of the page of accuracy, in Markdown: one a set, with the
// answers of the first run as it was and, where a statement of the truth was wrong,
// against the corrected truth.
func TablesOfFirstRuns() (string, error) {
	answers := map[string][]map[string]string{}
	if err := visitRows(tables, "testdata/answers.csv", func(r map[string]string) error {
		answers[r["set"]] = append(answers[r["set"]], r)
		return nil
	}); err != nil {
		return "", err
	}
	var b strings.Builder
	err := visitRows(tables, "testdata/runs.csv", func(r map[string]string) error {
		return writeFirstRun(&b, r, answers[r["set"]])
	})
	return b.String(), err
}

func writeFirstRun(w io.Writer, run map[string]string, answers []map[string]string) error {
	fmt.Fprintf(w, "**Set %s**: %s designs of %s repositories", run["set"], run["designs"], run["repositories"])
	if run["note"] != "" {
		fmt.Fprintf(w, "; %s", run["note"])
	}
	fmt.Fprint(w, "\n\n| | right | asked | wrong, said | silent |\n|---|---:|---:|---:|---:|\n")
	for _, a := range answers {
		what := a["what"]
		if a["truth"] == "corrected" {
			what += ", truth corrected"
		}
		share, err := percent(a["right"], a["known"])
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s | %s of %s (%s) | %s | %s | %s |\n", what, a["right"], a["known"], share, a["asked"], a["said"], a["silent"])
	}
	if run["false_must_fix"] == "" {
		_, err := fmt.Fprint(w, "\nNobody has judged each `must_fix` yet.\n\n")
		return err
	}
	boards, err := strconv.ParseFloat(run["boards"], 64)
	if err != nil {
		return err
	}
	wrong, err := strconv.ParseFloat(run["false_must_fix"], 64)
	fmt.Fprintf(w, "\nDesigns with a false `must_fix`: %s of %s, %.1f in fifty.\n\n", run["false_must_fix"], run["boards"], 50*wrong/boards)
	return err
}

func percent(part, whole string) (string, error) {
	p, err := strconv.ParseFloat(part, 64)
	if err != nil {
		return "", err
	}
	of, err := strconv.ParseFloat(whole, 64)
	return fmt.Sprintf("%.1f %%", 100*p/of), err
}

// Misses writes everything that was not right at the first run of each set: answers,
// and each must_fix that somebody judged, with its cause.
func Misses(w io.Writer) error {
	return visitRows(tables, "testdata/misses.csv", func(r map[string]string) error {
		_, err := fmt.Fprintf(w, "set %s  %s  %s\n    true: %s\n    said: %s\n    cause: %s\n", r["set"], r["design"], r["kind"], r["truth"], r["said"], r["cause"])
		return err
	})
}
