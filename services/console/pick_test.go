package console_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
)

// TestPickPart: the team chooses parts for lines that name none, is told what nobody
// sells, and the package for whoever assembles has what was chosen.
func TestPickPart(t *testing.T) {
	t.Parallel()
	w := start(t)
	w.furnish()
	const key = "boards/" + boardRef + "/assembly-x/assembly.zip"
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, text := range map[string]string{"bom.csv": "Designator,MPN\nJ1,\n", "positions.csv": "Designator,Mid X\nJ1,1mm\n"} {
		f, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	w.put(key, packed.Bytes())
	q := quoteOf(w, reviewRef)
	q.Assembly = &quotes.QuotedAssembly{ID: "a", Boards: 10, Package: key, At: time.Now()}
	q.Reply.Parts = []assemblies.Part{
		{Fitting: assemblies.Fitted, Picked: true, Footprint: "PH-2", Found: partchecks.Found{Reference: "J1", Part: "Connector", Why: "it names no exact part"}},
		{Fitting: assemblies.Fitted, Found: partchecks.Found{Reference: "U1", Part: "NE555", MPN: "NE555", Bought: 10}},
	}
	q.Reply.UnpricedParts = q.Reply.Parts[:1]
	commit(w, contract.QuoteAggregate, reviewRef, quotes.EventReviewRequested, account, q)
	pia, at := w.signInAs("pia"), "/reviews/"+reviewRef
	bustest.WaitFor(t, "the parts on the page", func() bool { return strings.Contains(pia.get(at).body, "Parts for us to choose") })
	pia.fill(at, at+"/parts", "reference", "J1", "mpn", " ").wants(t, http.StatusUnprocessableEntity, "please write the part number")
	pia.fill(at, at+"/parts", "reference", "J1", "mpn", "no-such-part").wants(t, http.StatusUnprocessableEntity, "cannot be bought for this build: not found at fab")
	if q := quoteOf(w, reviewRef); q.Reply.Parts[0].PickedBy != "" {
		t.Errorf("the part is %+v, want it chosen by nobody", q.Reply.Parts[0])
	}
	pia.fill(at, at+"/parts", "reference", "J1", "mpn", "=B2B-PH-K-S", "manufacturer", "JST").wants(t, http.StatusOK, "The part is chosen", "=B2B-PH-K-S", "chosen by")
	if p := quoteOf(w, reviewRef).Reply.Parts[0]; p.MPN != "=B2B-PH-K-S" || p.Manufacturer != "JST" || p.PickedBy == "" {
		t.Errorf("the part is %+v, want =B2B-PH-K-S of JST, chosen by somebody", p)
	}
	w.awaitAudit("pia", "chose a part")
	list := unzip(t, pia.get("/quotes/"+reviewRef+"/assembly").body)
	if !strings.Contains(list["bom.csv"], "J1,0,Connector,PH-2,'=B2B-PH-K-S,JST") || !strings.Contains(list["bom.csv"], "NE555") || !strings.Contains(list["positions.csv"], "J1,1mm") || len(list) != 2 {
		t.Errorf("the package has %q, want the list with J1 as text and NE555, and the places", list)
	}
	form := pia.form(at, at+"/parts")
	if a := w.signInAs("ben").post(at+"/parts", form); a.status != http.StatusForbidden {
		t.Errorf("who may not = %d, want 403", a.status)
	}
}

func unzip(t *testing.T, body string) map[string]string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(data)
	}
	return out
}
