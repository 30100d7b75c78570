package checkout

import (
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract/wording"
	"boardorder/pkg/dated"
	"boardorder/pkg/language"
)

// arrivalDates are between which days boards should arrive that are paid at a time, from the
// words that are sold: "7 to 9 working days from payment, build included".
func arrivalDates(delivery string, paid time.Time) (from, to time.Time, ok bool) {
	low, high, ok := workingDays(delivery)
	return dated.AddWorkingDays(paid, low), dated.AddWorkingDays(paid, high), ok
}

// Arrival is between which days boards should arrive that are paid at a time, from the words
// that are sold, or "": "on Friday, 4 December 2026".
func Arrival(p *language.Printer, delivery string, paid time.Time) string {
	from, to, ok := arrivalDates(delivery, paid)
	if ok && from.Equal(to) {
		return p.Text("on %s", p.FullDay(from))
	}
	return longArrival(p, delivery, paid)
}

// longArrival is the days in full, or "".
func longArrival(p *language.Printer, delivery string, paid time.Time) string {
	from, to, ok := arrivalDates(delivery, paid)
	switch {
	case !ok:
		return ""
	case from.Equal(to):
		return p.FullDay(from)
	}
	return p.Text("between %s and %s", p.FullDay(from), p.FullDay(to))
}

// readyDay is the day on which boards that are paid at a time should leave, of which nobody
// knows how long the parcel takes, or "".
func readyDay(p *language.Printer, delivery string, paid time.Time) string {
	build, ok := wording.CutReadyToShip(delivery)
	if !ok {
		return ""
	}
	day, _, ok := arrivalDates(build, paid)
	if !ok {
		return ""
	}
	return p.FullDay(day)
}

// shortArrival is the days for a table, or "": "3 to 9 Dec".
func shortArrival(p *language.Printer, delivery string, paid time.Time) string {
	from, to, ok := arrivalDates(delivery, paid)
	if !ok {
		return ""
	}
	return p.ShortDays(from, to)
}

// workingDays reads "7 to 9 working days …" and "1 working day …".
func workingDays(words string) (low, high int, ok bool) {
	f := strings.Fields(words)
	if len(f) < 3 {
		return 0, 0, false
	}
	low, err := strconv.Atoi(f[0])
	if err != nil || low < 0 || low > 365 {
		return 0, 0, false
	}
	high, rest := low, f[1:]
	if f[1] == "to" && len(f) > 4 {
		if high, err = strconv.Atoi(f[2]); err != nil || high < low || high > 365 {
			return 0, 0, false
		}
		rest = f[3:]
	}
	return low, high, rest[0] == "working" && strings.HasPrefix(rest[1], "day")
}
