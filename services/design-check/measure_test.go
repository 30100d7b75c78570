package designcheck_test

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/projection"
	"boardorder/pkg/worker"
	designcheck "boardorder/services/design-check"
)

// put stores an upload as the upload service does.
func (d *harness) put(t *testing.T, ref, digest string, files map[string]string) uploads.Upload {
	t.Helper()
	data := d.upload(t, files)
	up := uploads.Upload{
		Ref: ref, Account: "acc_1", Status: uploads.Open, CreatedAt: d.Now(), ExpiresAt: d.Now().Add(6 * time.Hour),
		Files: data.Files, Digest: digest,
	}
	d.change(t, uploads.EventFilesAdded, up)
	return up
}

func (d *harness) change(t *testing.T, name contract.EventName, up uploads.Upload) {
	t.Helper()
	d.n++
	c := contract.Command{ID: contract.DeriveID(up.Ref, string(rune(d.n)))}
	_, err := aggregate.At[uploads.Upload](d, contract.UploadAggregate, up.Ref).Execute(t.Context(), c, d.Now(),
		func(aggregate.Snapshot[uploads.Upload]) (*aggregate.Change[uploads.Upload], error) {
			return &aggregate.Change[uploads.Upload]{Event: name, State: up}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
}

// ask sends a client's request and gives how the request ended.
func (d *harness) ask(t *testing.T, data contract.CheckDesignData) contract.Operation {
	t.Helper()
	d.n++
	request := contract.NewID(contract.RequestPrefix, d.Now())
	c, err := contract.NewCommand(designchecks.Check, request, "acc_1", d.Now(), data)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	d.Run(d.Now().Add(time.Second))
	if len(d.Dead) > 0 {
		t.Fatalf("dead letter: %v", d.Dead[0].Err)
	}
	op, ok := d.Outcome(request)
	if !ok {
		t.Fatal("request without an outcome")
	}
	return op
}

func (d *harness) checkOf(t *testing.T, op contract.Operation) designchecks.DesignCheck {
	t.Helper()
	if op.Refusal != nil {
		t.Fatalf("refused: %v", op.Refusal)
	}
	s, err := aggregate.At[designchecks.DesignCheck](d, op.Aggregate, op.ID).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s.State
}

func usual(ref string) contract.CheckDesignData {
	return contract.CheckDesignData{Upload: ref, CopperOz: 1, ThicknessMM: 1.6}
}

func TestChecksOnce(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.put(t, "one", "digest", square)
	d.put(t, "two", "digest", square) // another's, of the same content
	first := d.checkOf(t, d.ask(t, usual("one")))
	if first.Status == designchecks.Running || first.Status == designchecks.Gone || first.Board == "" || len(first.Files) != 4 ||
		len(first.Fabricators) < 8 || first.FabricatorsNote == "" || len(first.Assumed) == 0 {
		t.Fatalf("check = %+v, want a board measured to its end, 4 files, 8 fabricators at least with their note, assumptions", first)
	}
	made := len(d.Events(contract.DesignCheckAggregate))
	if again := d.checkOf(t, d.ask(t, usual("two"))); again.ID != first.ID || again.Attempt != 1 {
		t.Errorf("the same check is another: %+v, want %s at the first attempt", again, first.ID)
	}
	if n := len(d.Events(contract.DesignCheckAggregate)); n != made {
		t.Errorf("%d events, then %d: measured twice", made, n)
	}
	thick := usual("one")
	thick.CopperOz = 4
	if other := d.checkOf(t, d.ask(t, thick)); other.ID == first.ID {
		t.Errorf("a check for heavier copper is %s, the one for less copper too; want another", other.ID)
	}
	r, info, err := d.blobs.Get(t.Context(), first.Report)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	page, err := io.ReadAll(r)
	if err != nil || !strings.Contains(string(page), "</html>") || info.ContentType != "text/html; charset=utf-8" {
		t.Errorf("report of %d bytes, %s, %v", len(page), info.ContentType, err)
	}
}

// The nets of a project are checked when its files arrive, for quotes to stop
// at, and again with everything else.
func TestFindsAShort(t *testing.T) {
	t.Parallel()
	d := setup(t)
	shorted := strings.Replace(blinker, `(net 1 "GND")`, `(net 1 "GND") (net 2 "VCC")
	(segment (start 24 18) (end 24 22) (width 0.25) (layer "F.Cu") (net 2))`, 1)
	up := d.put(t, "one", "digest", map[string]string{"blinker.kicad_pcb": shorted})
	d.do(t, boards.Read, boards.ReadData{Digest: "digest", Upload: "one", Files: up.Files})
	found := d.state(t).Boards[0].Findings
	if !slices.ContainsFunc(found, func(f contract.Finding) bool {
		return f.Level == "must_fix" && f.Check == "short" && len(f.AtMM) == 2 && f.Layer == "F.Cu"
	}) {
		t.Errorf("the reading reports no short: %+v, want one on F.Cu with its place", found)
	}
	check := d.checkOf(t, d.ask(t, usual("one")))
	i := slices.IndexFunc(check.Findings, func(f designchecks.Finding) bool { return f.Check == "short" })
	if check.Status != designchecks.MustFix || i < 0 {
		t.Fatalf("check = %s, %+v; want %s with a short", check.Status, check.Findings, designchecks.MustFix)
	}
	f := check.Findings[i]
	if f.Count < 1 || len(f.Places) < 1 || f.Image == "" {
		t.Errorf("finding = %+v, want a count, a place and a picture", f)
	}
	if _, err := d.blobs.Stat(t.Context(), f.Image); err != nil {
		t.Errorf("picture: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	d := setup(t)
	two := map[string]string{}
	for name, content := range square {
		two["first/"+name] = content
		two["second/"+name] = strings.ReplaceAll(content, "X20000000", "X30000000")
	}
	up := d.put(t, "two", "two", two)
	d.put(t, "none", "none", map[string]string{"readme.txt": "hello"})
	gone := d.put(t, "gone", "gone", square)
	gone.Status = uploads.Expired
	d.change(t, uploads.EventExpired, gone)
	code := func(data contract.CheckDesignData) contract.Code {
		t.Helper()
		op := d.ask(t, data)
		if op.Refusal != nil {
			return op.Refusal.Code
		}
		if r := d.checkOf(t, op).Refusal; r != nil {
			return r.Code
		}
		return ""
	}
	// Before the files are read measuring finds out; afterwards their reading tells. Either
	// way there is a page.
	for i := range 2 {
		for name, want := range map[string]contract.Code{"": contract.NeedsDetails, "third": contract.InvalidRequest} {
			data := usual("two")
			data.Board, data.CopperOz = name, float64(1+i) // another check
			got := d.checkOf(t, d.ask(t, data))
			if got.Refusal == nil || got.Refusal.Code != want || len(got.Refusal.Boards) != 2 || got.Refusal.Boards[1].WidthMM != 30.0 || len(got.Files) == 0 {
				t.Fatalf("board %q: refusal %+v, %d files; want %q with two boards", name, got.Refusal, len(got.Files), want)
			}
			if page := d.page(t, got); !strings.Contains(page, got.Refusal.Message) || !strings.Contains(page, "30 × 10") {
				t.Errorf("board %q: the page lacks %q or the boards' sizes:\n%s", name, got.Refusal.Message, page)
			}
		}
		d.do(t, boards.Read, boards.ReadData{Digest: "two", Upload: "two", Files: up.Files})
	}
	for ref, want := range map[string]contract.Code{
		"none": contract.DesignFiles, "gone": contract.UploadExpired, "unknown": contract.UploadNotFound,
	} {
		if got := code(usual(ref)); got != want {
			t.Errorf("upload %s: %q, want %q", ref, got, want)
		}
	}
}

// page is that of a check.
func (d *harness) page(t *testing.T, check designchecks.DesignCheck) string {
	t.Helper()
	r, _, err := d.blobs.Get(t.Context(), check.Report)
	if err != nil {
		t.Fatalf("report %q: %v", check.Report, err)
	}
	defer r.Close()
	page, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

// What was checked goes with the files, and is checked anew when it is asked
// for again. A check whose files go while it runs keeps nothing.
func TestForgetsChecks(t *testing.T) {
	t.Parallel()
	d := setup(t)
	up := d.put(t, "one", "digest", square)
	d.do(t, boards.Read, boards.ReadData{Digest: "digest", Upload: "one", Files: up.Files})
	first := d.checkOf(t, d.ask(t, usual("one")))
	d.project(t, first)
	d.do(t, boards.Forget, boards.ForgetData{Digest: "digest", Must: true})
	s, err := aggregate.At[designchecks.DesignCheck](d, contract.DesignCheckAggregate, first.ID).Load(t.Context())
	if err != nil || s.State.Status != designchecks.Gone || len(s.State.Findings)+len(s.State.Files) > 0 {
		t.Errorf("after forgetting: %s, %v", s.State.Status, err)

	}
	d.empty(t)
	if again := d.checkOf(t, d.ask(t, usual("one"))); again.Attempt != 2 || again.Status == designchecks.Gone {
		t.Errorf("asked again: attempt %d, %s, want 2, not %s", again.Attempt, again.Status, designchecks.Gone)
	}
	d.do(t, boards.Forget, boards.ForgetData{Digest: "digest", Must: true})

	d.service.SetMeasurer(func(_ context.Context, _ []worker.Source, check designchecks.DesignCheck, _ func(designchecks.DesignCheck)) (designcheck.Measured, error) {
		up.Status = uploads.ITARDeclared
		d.change(t, uploads.EventITARDeclared, up)
		check.Status, check.Report = designchecks.Pass, "report.html"
		return designcheck.Measured{Check: check, Blobs: []designcheck.Blob{{Name: "report.html", Kind: "text/html", Data: []byte("x")}}}, nil
	})
	if late := d.checkOf(t, d.ask(t, usual("one"))); late.Status != designchecks.Gone || late.Report != "" {
		t.Errorf("declared while it ran: %s, report %q; want %s, none", late.Status, late.Report, designchecks.Gone)
	}
	d.empty(t)
}

// A check that is forgotten while it runs keeps nothing of what it made, and the
// next request begins anew.
func TestForgottenWhileItRuns(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.put(t, "one", "digest", square)
	forget := true
	d.service.SetMeasurer(func(ctx context.Context, _ []worker.Source, check designchecks.DesignCheck, _ func(designchecks.DesignCheck)) (designcheck.Measured, error) {
		if forget {
			d.project(t, check)
			c, err := contract.NewCommand(boards.Forget, "", "", d.Now(), boards.ForgetData{Digest: "digest", Must: true})
			if err == nil {
				c.ID = "forget"
				err = d.service.Handlers()[boards.Forget](ctx, c)
			}
			if err != nil {
				t.Error(err)
			}
		}
		check.Status, check.Report = designchecks.Pass, "report.html"
		return designcheck.Measured{Check: check, Blobs: []designcheck.Blob{{Name: "report.html", Kind: "text/html", Data: []byte("x")}}}, nil
	})
	if check := d.checkOf(t, d.ask(t, usual("one"))); check.Status != designchecks.Gone || check.Report != "" {
		t.Errorf("forgotten while it ran: %s %q, want %s, no report", check.Status, check.Report, designchecks.Gone)
	}
	d.empty(t)
	forget = false
	if check := d.checkOf(t, d.ask(t, usual("one"))); check.Status != designchecks.Pass || check.Attempt != 2 {
		t.Errorf("asked again: %s, attempt %d; want %s, 2", check.Status, check.Attempt, designchecks.Pass)
	}
}

// A check that never ended is begun anew, and what the first attempt says late
// changes nothing.
func TestStuckChecksAreBegunAnew(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.put(t, "one", "digest", square)
	request := usual("one")
	id := designchecks.ID("digest", "", request.CopperOz, request.ThicknessMM)
	stuck := designchecks.DesignCheck{ID: id, Digest: "digest", CopperOz: 1, ThicknessMM: 1.6, Status: designchecks.Running, Attempt: 1, StartedAt: d.Now()}
	versions := d.checkOf(t, d.ask(t, contract.CheckDesignData{Upload: "one", CopperOz: 2, ThicknessMM: 1.6})).Versions
	stuck.Versions = versions
	_, err := aggregate.At[designchecks.DesignCheck](d, contract.DesignCheckAggregate, id).Execute(t.Context(), contract.Command{ID: "lost"}, d.Now(),
		func(aggregate.Snapshot[designchecks.DesignCheck]) (*aggregate.Change[designchecks.DesignCheck], error) {
			return &aggregate.Change[designchecks.DesignCheck]{Event: designchecks.EventStarted, State: stuck}, nil
		})
	if err != nil {
		t.Fatal(err)
	}
	d.Advance(time.Hour)
	if check := d.checkOf(t, d.ask(t, request)); check.Attempt != 2 || check.Status == designchecks.Running {
		t.Fatalf("after an hour: attempt %d, %s; want 2, not %s", check.Attempt, check.Status, designchecks.Running)
	}
	made := len(d.Events(contract.DesignCheckAggregate))
	d.do(t, designchecks.Measure, designchecks.MeasureData{Check: id, Attempt: 1, Upload: "one"})
	if n := len(d.Events(contract.DesignCheckAggregate)); n != made {
		t.Errorf("there are %d events after an attempt that was given up, want %d", n, made)
	}
}

func (d *harness) empty(t *testing.T) {
	t.Helper()
	for info, err := range d.blobs.List(t.Context(), boards.Prefix) {
		if err != nil {
			t.Fatal(err)
		}
		t.Errorf("%s is left", info.Key)
	}
}

func TestTellsWhereItIs(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.put(t, "one", "digest", square)
	d.service.SetMeasurer(func(_ context.Context, _ []worker.Source, check designchecks.DesignCheck, step func(designchecks.DesignCheck)) (designcheck.Measured, error) {
		check.Step, check.Findings = "Half of it.", []designchecks.Finding{{Finding: contract.Finding{Level: "note", Check: "c", What: "w"}}}
		step(check)
		check.Status = designchecks.Pass
		return designcheck.Measured{Check: check}, nil
	})
	check := d.checkOf(t, d.ask(t, usual("one")))
	var steps []string
	for _, e := range d.Events(contract.DesignCheckAggregate) {
		var body contract.Body[designchecks.DesignCheck]
		if err := json.Unmarshal(e.Data, &body); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, string(e.Name)+" "+string(body.State.Status)+" "+body.State.Step)
	}
	want := []string{"started checking ", "progressed checking Half of it.", "checked pass "}
	if !slices.Equal(steps, want) || check.EndedAt.IsZero() {
		t.Errorf("steps %q, want %q", steps, want)
	}
}

func TestDrawsLayers(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.do(t, boards.Read, d.upload(t, square))
	for range 2 {
		d.do(t, boards.DrawLayers, boards.DrawLayersData{Digest: "digest"})
	}
	layers := d.state(t).Boards[0].Layers
	if len(layers) < 3 {
		t.Fatalf("layers = %+v, want 3 at least", layers)
	}
	for _, l := range layers {
		if _, err := d.blobs.Stat(t.Context(), l.Key); err != nil || l.Role == "" || l.Name == "" {
			t.Errorf("layer %+v: %v; want a name, a role and a picture", l, err)
		}
	}
	if n := len(d.Events(contract.BoardAggregate)); n != 3 {
		t.Errorf("%d events, want a reading, its completion and one drawing", n)
	}
}

// project puts a check where lists are read from.
func (d *harness) project(t *testing.T, check designchecks.DesignCheck) {
	t.Helper()
	body, err := json.Marshal(check)
	if err != nil {
		t.Fatal(err)
	}
	doc := projection.Document{
		Kind: string(contract.DesignCheckAggregate), ID: check.ID, Seq: 1, Keys: map[string]string{"digest": check.Digest}, At: d.Now(), Body: body,
	}
	if err := d.docs.Put(t.Context(), doc); err != nil {
		t.Fatal(err)
	}
}
