// Package rates stands in for the European Central Bank's daily reference
// rates: the same XML at the same path. The rates are a simulated snapshot,
// plausible for late 2026 and good for nothing else; they are dated with the
// last working day whenever they are asked for, so that rules about old rates
// hold.
package rates

import (
	_ "embed"
	"net/http"
	"strings"
	"time"
)

//go:embed eurofxref-daily.xml
var snapshot string

// SnapshotDate is the day that stands in the snapshot file.
const SnapshotDate = "2026-11-20"

// Path is where the daily file is, below the place where the handler is mounted.
const Path = "/stats/eurofxref/eurofxref-daily.xml"

// Handler serves the daily file at Path. now may be nil for time.Now.
func Handler(now func() time.Time) http.Handler {
	if now == nil {
		now = time.Now
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET "+Path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/xml")
		w.Write([]byte(Daily(now())))
	})
	return mux
}

// Daily is the file as it reads at that time.
func Daily(now time.Time) string {
	return strings.Replace(snapshot, SnapshotDate, LatestWorkingDay(now).Format(time.DateOnly), 1)
}

// LatestWorkingDay is the day of the newest rates: today, or Friday on a weekend.
func LatestWorkingDay(now time.Time) time.Time {
	day := now.UTC()
	for day.Weekday() == time.Saturday || day.Weekday() == time.Sunday {
		day = day.AddDate(0, 0, -1)
	}
	return day
}
