package dated_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/dated"
)

const head = "name,rate,amount,count,valid_from,valid_to,source,checked,certainty,note\n"

func TestRowsNameEveryWrongCell(t *testing.T) {
	t.Parallel()
	table, err := dated.Read("fees.csv", strings.NewReader("# a comment\n"+head+
		"a,25,1.50,3,2026-01-01,,law,2026-11-01,confirmed,\n"+
		",x,1.505,-1,yesterday,2025-01-01,,2026-13-01,perhaps,\n"), "name", "rate", "amount", "count")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range table.Rows {
		row.RequireText("name")
		row.Percent("rate")
		row.Decimal("amount")
		row.Int("count")
		row.Span()
	}
	got := table.Err()
	if got == nil {
		t.Fatal("no error for a row where every cell is wrong")
	}
	for _, want := range []string{
		"fees.csv line 4, column name", "column rate", "column amount", "column count", "column valid_from",
		"column source", "column checked", "column certainty",
	} {
		if !strings.Contains(got.Error(), want) {
			t.Errorf("the error does not name %q: %v", want, got)
		}
	}
	if strings.Contains(got.Error(), "line 3") {
		t.Errorf("the error blames the good row: %v", got)
	}
}

// TestSources: a source is what was read; a row of what nobody could read says which document it
// is, and is uncertain.
func TestSources(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		source, certainty string
		words, wrong      string
	}{
		{"the law", "confirmed", "Source: the law, checked 2026-11-01", ""},
		{"the law", "uncertain", "Source: the law, checked 2026-11-01", ""},
		{"not read: the law", "uncertain", "To be confirmed in the law, which could not be read by 2026-11-01", ""},
		{"not read: the law", "confirmed", "", "what was not read is uncertain"},
		{"not read: the law", "estimate", "", "what was not read is uncertain"},
		{"not read: ", "uncertain", "", "which document"},
		{"general knowledge of the law", "uncertain", "", "is no document"},
		{"General Knowledge", "confirmed", "", "is no document"},
	} {
		table, err := dated.Read("fees.csv", strings.NewReader(head+"a,25,1.50,3,2026-01-01,,"+tt.source+",2026-11-01,"+tt.certainty+",\n"), "name", "rate", "amount", "count")
		if err != nil {
			t.Fatal(err)
		}
		span := table.Rows[0].Span()
		switch err := table.Err(); {
		case tt.wrong == "" && (err != nil || dated.SourceWords(span.Source, span.Checked) != tt.words):
			t.Errorf("%q, %s: %q, %v; want %q", tt.source, tt.certainty, dated.SourceWords(span.Source, span.Checked), err, tt.words)
		case tt.wrong != "" && (err == nil || !strings.Contains(err.Error(), tt.wrong)):
			t.Errorf("%q, %s: %v; want an error that says %q", tt.source, tt.certainty, err, tt.wrong)
		}
	}
}

func TestReadRefusesOtherColumns(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"another order": strings.Replace(head, "name,rate", "rate,name", 1), "nothing": "", "a short row": head + "a,b\n",
	} {
		if _, err := dated.Read("fees.csv", strings.NewReader(text), "name", "rate", "amount", "count"); err == nil {
			t.Errorf("%s: no error", name)
		} else if !strings.Contains(err.Error(), "fees.csv") {
			t.Errorf("%s: the error does not name the table: %v", name, err)
		}
	}
}

func TestSpan(t *testing.T) {
	t.Parallel()
	span := dated.Span{From: "2026-02-24", To: "2026-07-23"}
	for day, want := range map[dated.Day]bool{
		"2026-02-23": false, "2026-02-24": true, "2026-07-23": true, "2026-07-24": false, "2030-01-01": false,
	} {
		if got := span.Holds(day); got != want {
			t.Errorf("Holds(%s) = %v, want %v", day, got, want)
		}
	}
	open := dated.Span{From: "2026-07-24"}
	if !open.Holds("2040-01-01") || open.Overlaps(span) || !open.Overlaps(dated.Span{From: "2026-01-01", To: "2026-07-24"}) {
		t.Error("an open span holds for ever and overlaps only what reaches it")
	}
}

func TestDayOfIsInUTC(t *testing.T) {
	t.Parallel()
	late := time.Date(2026, 11, 20, 23, 30, 0, 0, time.FixedZone("west", -8*3600))
	if got, want := dated.DayOf(late), dated.Day("2026-11-21"); got != want {
		t.Errorf("DayOf(%v) = %s, want %s", late, got, want)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(head + "a,25,1.50,3,2026-01-01,,law,2026-11-01,confirmed,\n")
	f.Add(head + ",,.,\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := dated.Read("f.csv", strings.NewReader(text), "name", "rate", "amount", "count")
		if err != nil {
			return
		}
		for _, row := range table.Rows {
			if row.Percent("rate") < 0 || row.Decimal("amount") < 0 || row.Int("count") < 0 {
				t.Error("a negative value was let in")
			}
			row.Span()
		}
	})
}
