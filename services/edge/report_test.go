package edge_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
)

// TestRefusalsLeadToAReport: the link of a refused quote begins the check once it is opened,
// shows its page, and ends with the design.
func TestRefusalsLeadToAReport(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	if _, err := w.blobs.Put(t.Context(), "boards/d/checks/report.html", bytes.NewReader([]byte("the page")), -1, ""); err != nil {
		t.Fatal(err)
	}
	refusal := contract.Refuse(contract.DesignFiles, "Nets are joined.")
	refusal.Known = map[string]any{"layers": 2, "width_mm": 20.0}
	refusal.Report = &contract.ReportSubject{
		ID: checkID, Until: w.now().Add(time.Hour), Check: contract.CheckDesignData{Upload: contract.SecretRef(id), CopperOz: 1, ThicknessMM: 1.6},
	}
	w.set(func() { w.refuse = refusal })
	a := w.post("/v1/quotes", quoteBody(id, ""))
	m := a.json(t)
	url, _ := m["report_url"].(string)
	if a.status != 422 || !strings.HasPrefix(url, w.url+"/design-checks/") || m["report"] != nil || m["known"].(map[string]any)["width_mm"] != 20.0 {
		t.Fatalf("POST = %d %s, want 422 with the report's address, and the width known", a.status, a.body)
	}
	if n := len(w.commandsOf(designchecks.Check)); n != 0 {
		t.Errorf("%d checks were begun before anybody opened the report, want none", n)
	}
	w.set(func() { w.refuse, w.check = nil, aCheck(designchecks.Running) })
	page := make(chan answer)
	go func() { page <- w.get(url, "X-API-Key", "") }()
	w.eventually(func() bool { return len(w.commandsOf(designchecks.Check)) == 1 })
	w.put(contract.DesignCheckAggregate, checkID, aCheck(designchecks.MustFix))
	if err := w.bus.Wake(contract.DesignCheckAggregate, checkID); err != nil {
		t.Fatal(err)
	}
	if a := <-page; a.status != 200 || string(a.body) != "the page" {
		t.Errorf("the report = %d %s, want 200, the page", a.status, a.body)
	}
	if a := w.get(strings.Replace(url, "report.html", "report.json", 1)); a.status != 200 || a.json(t)["status"] != "must_fix" {
		t.Errorf("the report as data = %d %s, want 200 must_fix", a.status, a.body)
	}
	if a := w.get(url); a.status != 200 || len(w.commandsOf(designchecks.Check)) != 1 {
		t.Errorf("opened again: %d, %d checks were begun; want 200, 1", a.status, len(w.commandsOf(designchecks.Check)))
	}
	w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q,"itar":true}`, id))
	w.eventually(func() bool { return w.get(url).status == 410 })
}

// TestReportsOfChecksThatRun: a page says that the check is running, and comes again.
func TestReportsOfChecksThatRun(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	w.set(func() { w.check = aCheck(designchecks.Warning) })
	url := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q}`, id)).json(t)["report_url"].(string)
	w.put(contract.DesignCheckAggregate, checkID, aCheck(designchecks.Running))
	if a := w.get(url); a.status != 202 || !strings.Contains(string(a.body), "The design check is running") || a.header.Get("Cache-Control") != "no-store" {
		t.Errorf("the page = %d %s, want 202 that says so, not to be stored", a.status, a.body)
	}
	if a := w.get(strings.Replace(url, "report.html", "report.json", 1)); a.status != 200 || a.json(t)["status"] != "checking" || a.header.Get("Retry-After") == "" {
		t.Errorf("the data = %d %s, want 200 checking with Retry-After", a.status, a.body)
	}
	refused := aCheck(designchecks.Refused)
	refused.Refusal = contract.Refuse(contract.DesignFiles, "No board was found.")
	w.set(func() { w.check = refused })
	a := w.post("/v1/design-checks", fmt.Sprintf(`{"upload_id":%q}`, id))
	if a.status != 422 || a.json(t)["report_url"] != url {
		t.Errorf("a refused check = %d %s, want report_url %s", a.status, a.body, url)
	}
	if a := w.get(strings.Replace(url, "report.html", "report.json", 1)); a.status != 422 || a.code(t) != "design_files" {
		t.Errorf("the data of a refused check = %d %s, want 422 design_files", a.status, a.body)
	}
}
