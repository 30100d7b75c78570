// Package dated reads the tables that change by law or by contract: each row
// says from which day to which it holds, where it was read and when it was
// checked. Amounts and rates live in such tables and never in code.
package dated

import (
	"strings"
	"time"
)

// A Day is a calendar day, "2006-01-02". Days compare as strings.
type Day string

// DayOf is the day of a moment in UTC.
func DayOf(t time.Time) Day { return Day(t.UTC().Format(time.DateOnly)) }

// AddWorkingDays is the time so many working days later, in UTC: Mondays to Fridays.
func AddWorkingDays(t time.Time, n int) time.Time {
	t = t.UTC()
	for n > 0 {
		if t = t.AddDate(0, 0, 1); t.Weekday() != time.Saturday && t.Weekday() != time.Sunday {
			n--
		}
	}
	return t
}

// ParseDay reads "2006-01-02".
func ParseDay(s string) (Day, error) {
	_, err := time.Parse(time.DateOnly, s)
	return Day(s), err
}

// A Span is what every row says about itself.
type Span struct {
	From      Day    // first day that the row holds
	To        Day    // last day, or "" while nobody knows of an end
	Source    string // where the fact was read, or "not read: " and where it stands
	Checked   Day    // when somebody last looked
	Certainty string // confirmed, estimate, or uncertain: not confirmed, and the row holds the prudent value
	Note      string // what whoever maintains the row should know
}

// notRead begins the source of a row whose document nobody could read.
const notRead = "not read:"

// SourceWords says where a fact was read and when, or where it is to be confirmed.
func SourceWords(source string, checked Day) string {
	if document, unread := strings.CutPrefix(source, notRead); unread {
		return "To be confirmed in " + strings.TrimSpace(document) + ", which could not be read by " + string(checked)
	}
	return "Source: " + source + ", checked " + string(checked)
}

// Uncertain says that the fact could not be confirmed.
func (s Span) Uncertain() bool { return s.Certainty == "uncertain" }

// Holds reports whether the row is in force on a day.
func (s Span) Holds(d Day) bool { return s.From <= d && (s.To == "" || d <= s.To) }

// Overlaps reports whether two rows are in force on a common day.
func (s Span) Overlaps(o Span) bool {
	return (s.To == "" || o.From <= s.To) && (o.To == "" || s.From <= o.To)
}
