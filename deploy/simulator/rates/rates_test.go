package rates_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/deploy/simulator/rates"
)

func TestDailyIsDatedWithAWorkingDay(t *testing.T) {
	t.Parallel()
	for now, want := range map[string]string{
		"2027-03-05": "2027-03-05", // Friday
		"2027-03-06": "2027-03-05",
		"2027-03-07": "2027-03-05",
		"2027-03-08": "2027-03-08",
	} {
		at, err := time.Parse(time.DateOnly, now)
		if err != nil {
			t.Fatal(err)
		}
		text := rates.Daily(at)
		if !strings.Contains(text, "time='"+want+"'") || strings.Count(text, want) != 1 {
			t.Errorf("on %s the file is not dated %s", now, want)
		}
		if !strings.Contains(text, "currency='USD'") {
			t.Error("the file has no dollar")
		}
	}
}
