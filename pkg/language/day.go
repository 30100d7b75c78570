package language

import "time"

// FullDay writes a day with its day of the week: "Friday, 4 December 2026".
func (p *Printer) FullDay(t time.Time) string {
	if p.Code == "ja" {
		return p.Day(t) + "（" + p.locale.WeekdayAbbreviated(t.Weekday()) + "）"
	}
	return p.locale.FmtDateFull(t)
}

// ShortDays writes a day, or those between which something is, without the year:
// "3 to 9 Dec", "28 Nov to 3 Dec".
func (p *Printer) ShortDays(from, to time.Time) string {
	switch {
	case from.Equal(to):
		return p.shortDay(to)
	case from.Month() == to.Month():
		return p.Text("%[1]d to %[2]d %[3]s", from.Day(), to.Day(), p.month(to))
	}
	return p.Text("%s to %s", p.shortDay(from), p.shortDay(to))
}

func (p *Printer) shortDay(t time.Time) string { return p.Text("%[1]d %[2]s", t.Day(), p.month(t)) }

func (p *Printer) month(t time.Time) string {
	if p.Code == English {
		return t.Format("Jan")
	}
	return p.locale.MonthAbbreviated(t.Month())
}
