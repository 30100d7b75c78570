package standalone_test

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

var chosenBuild = regexp.MustCompile(`name="build_hours" value="(\d+)" checked`)

// TestQuantityAcrossBuildTimes: the number of boards can be changed at checkout, there and back,
// to one of which the fabricator's build takes longer; a build that it does not offer then gives
// way, and the page says so.
func TestQuantityAcrossBuildTimes(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	q := s.quote(t, `{"upload_id":"`+s.upload(t, s.sample(t))+`","quantity":10,"standard_for_unstated":true,"ship_to":{"country":"US"}}`, http.StatusCreated)
	choose := func(quantity, hours string) *page {
		t.Helper()
		p, form := s.open(t, q.CheckoutURL), maps.Clone(home)
		if m := chosenBuild.FindStringSubmatch(p.text); m != nil && hours == "" {
			hours = m[1]
		}
		form["quantity"], form["build_hours"] = []string{quantity}, []string{hours}
		p.send(t, "update", form)
		return s.open(t, q.CheckoutURL)
	}
	const instead = "A build time of 24 hours is not offered for"
	for _, n := range []string{"700", "2,000", "10", "1,000", "10"} {
		p := choose(strings.ReplaceAll(n, ",", ""), "")
		if !strings.Contains(p.text, "<strong>"+n+" boards</strong>") || strings.Contains(p.text, instead) {
			t.Errorf("%s boards are not on the page, or another build than the standard one is:\n%s", n, p.text)
		}
	}
	choose("10", "24")
	if p := choose("2000", "24"); !strings.Contains(p.text, instead) {
		t.Errorf("the page of 2000 boards does not say that 24 hours are not offered:\n%s", p.text)
	}
}
