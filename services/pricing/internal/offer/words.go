package offer

import (
	"cmp"
	"fmt"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/destination"
	"boardorder/services/pricing/internal/duty"
	"boardorder/services/pricing/internal/tax"
)

// buildTime is a build time in words. Past two days people count in days.
func buildTime(hours int) string {
	if hours <= 48 {
		return fmt.Sprintf("%d hours", hours)
	}
	return plural(buildDays(hours), "working day")
}

// buildDays is a build time in whole working days.
func buildDays(hours int) int { return (hours + 23) / 24 }

// span is a number of days, or a range of them.
func span(low, high int, unit string) string {
	if low == high {
		return plural(low, unit)
	}
	return fmt.Sprintf("%d to %s", low, plural(high, unit))
}

func plural(n int, unit string) string {
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// unitOf is what a quantity counts.
func unitOf(b quotes.BoardDetails) string {
	if catalog.PanelOf(b.FabOptions).By != "" {
		return "panel"
	}
	return "board"
}

// sentence makes a whole sentence of a clause.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if s = strings.ToUpper(s[:1]) + s[1:]; strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

// Delivery is the time from payment to the door: working days of building, and the
// least and the most that the parcel takes.
func Delivery(build, daysMin, daysMax int) string { return delivery(24*build, daysMin, daysMax) }

// delivery is the time from payment to the door.
func delivery(hours, daysMin, daysMax int) string {
	build := buildDays(hours)
	return span(build+daysMin, build+daysMax, "working day") + " from payment, build included"
}

func dutyLabel(c duty.Charge) string {
	if c.Basis == "handling" || c.Basis == "processing" {
		return "Customs: " + c.Words
	}
	label := "Import duty, HS " + c.HSCode + ": " + c.Words
	if c.Rate != "" {
		label += ", " + c.Rate
	}
	return label
}

func taxLabel(c tax.Charge, country destination.Country, region string) string {
	where := country.Name
	if region != "" {
		where = region
	}
	label := c.Label
	if strings.ToUpper(label) != label {
		label = strings.ToUpper(label[:1]) + label[1:]
	}
	return fmt.Sprintf("%s, %s, %s", label, where, c.Rate)
}

// clean makes a label of someone else fit to stand in a field of its own.
func clean(label string) string {
	return cmp.Or(untrusted.CutBytes(untrusted.CleanLine(label), 80), "Boards")
}
