package simulation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/standalone/internal/sample"
	"boardorder/pkg/blob"
	"boardorder/pkg/board/archive"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/pkg/worker"
	"boardorder/services/central"
	"boardorder/services/console"
	designcheck "boardorder/services/design-check"
	partsourcing "boardorder/services/part-sourcing"
	"boardorder/services/payment"
	"boardorder/services/pricing"
	"boardorder/services/upload"

	"github.com/nats-io/nats-server/v2/server"
	"go.uber.org/zap"
)

// world is everything: the services, the companies outside, and the people.
type world struct {
	*simbus.Sim
	keys     *secret.Keyring
	cards    *cards
	fab      *fab
	blobs    *blobs
	views    *views
	requests map[string]contract.CommandName // everything that a client was promised an answer to
	uploads  []string
	staged   map[string]staged // by key
	paid     map[string]bool   // sessions that a customer has seen
	soldOut  bool              // R1, wherever parts are asked about
}

// staged is what became of a file that an edge received: it was sent with a
// request about an upload.
type staged struct{ request, upload string }

const account = "acc_sim"

// sampleZip is made once: it is the same in every world.
var sampleZip = func() []byte {
	zip, err := sample.Zip()
	if err != nil {
		panic(err)
	}
	return zip
}()

// replicas is how many processes of every service there are.
const replicas = 2

func newWorld(seed uint64, faults simbus.Faults) (*world, error) {
	return makeWorld(seed, faults, false)
}

func makeWorld(seed uint64, faults simbus.Faults, real bool) (*world, error) {
	sim := simbus.New(seed, faults)
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		return nil, err
	}
	w := &world{
		Sim: sim, keys: keys, cards: newCards(sim), fab: newFab(sim), blobs: &blobs{Sim: sim, kept: map[string]kept{}},
		views: &views{sim, map[contract.Aggregate]int{}}, requests: map[string]contract.CommandName{}, staged: map[string]staged{}, paid: map[string]bool{},
	}
	w.blobs.allow, w.Allow = w.mayDelete, mayPublish
	w.Risky(uploads.AddFiles, boards.Read, boards.Complete, designchecks.Measure, boards.DrawLayers)
	for i := range replicas {
		handlers, err := w.services()
		if err != nil {
			return nil, err
		}
		if i == 0 {
			w.Handle(handlers...)
		} else {
			w.AddReplica(handlers...)
		}
	}
	return w, nil
}

// published is what each program may publish to, by its name.
var published = func() map[string][]string {
	out := map[string][]string{}
	for _, p := range access.Programs() {
		out[p.Name] = p.Publishes(access.Parts{})
	}
	return out
}()

// mayPublish holds services to the permissions that they have at the broker. What the
// world does itself is nobody's.
func mayPublish(service, subject string) bool {
	may, known := published[service]
	return !known || slices.ContainsFunc(may, func(pattern string) bool { return server.SubjectsCollide(subject, pattern) })
}

// services makes a process of every service.
func (w *world) services() ([]flow.Handlers, error) {
	sim, log := w.Sim, zap.NewNop()
	prices, err := pricing.New(pricing.Config{DefaultCountry: "US", ReadingWait: time.Second}, sim, w.keys,
		pricing.Ports{Fabricators: fabricator.List[pricing.Pricer]{{Name: "simulated", Country: "CN", Adapter: w.fab}}}, log, sim.Now)
	if err != nil {
		return nil, err
	}
	pay := payment.New(payment.Config{PublicURL: "https://shop"}, sim, w.keys,
		payment.Ports{Cards: w.cards, Fabricators: fabricator.List[payment.Fabricator]{{Name: "simulated", Adapter: w.fab}}, Files: w.blobs, Docs: w.views}, log, sim.Now)
	up := upload.New(upload.Config{Retention: 6 * time.Hour}, sim, w.blobs, workers{}, nil, log, sim.Now)
	// Places to check at must not run out: a handler that waits for one that gave
	// way would wait for ever.
	check, err := designcheck.New(designcheck.Config{Parallel: 1000, MemoryMB: 1 << 20, ReadTimeout: time.Minute}, sim, w.blobs, workers{}, log, sim.Now)
	if err != nil {
		return nil, err
	}
	check.SetMeasurer(measure)
	sim.GiveUp(check.GiveUp())
	parts, err := partsourcing.New(partsourcing.Config{ReadTimeout: time.Minute, FabTimeout: time.Minute, Timeout: time.Minute}, sim, w.lookUp, assembler{w}, workers{}, log, sim.Now)
	if err != nil {
		return nil, err
	}
	formal := central.New(central.Config{}, sim, w.blobs, log, sim.Now)
	sweep := func(ctx context.Context, _ contract.Command) error {
		return errors.Join(up.Sweep(ctx), check.Sweep(ctx))
	}
	return []flow.Handlers{
		console.NewAccounts(sim, sim.Now).Handlers(), console.NewMembers(sim, nil, sim.Now).Handlers(), console.NewApprovals(sim, sim.Now).Handlers(), prices.Handlers(), pay.Handlers(), up.Handlers(), check.Handlers(), parts.Handlers(), formal.Handlers(), w.feedHandlers(), w.webhookHandlers(), {sweepAll: sweep},
	}, nil
}

// sweepAll stands for the timers of the services' own.
var sweepAll = contract.CommandName{Service: "world", Verb: "sweep"}

func (w *world) sweep() {
	w.order(contract.Command{ID: contract.DeriveID("sweep", w.Now().String()), Name: sweepAll, At: w.Now()})
}

// workers stand for the processes that unpack, read and draw. Reading is a pure
// function of its own and far too slow for hundreds of worlds: they find what the
// sample board holds.
type workers struct{}

func (workers) Run(ctx context.Context, o worker.Order) error {
	var files [][]byte
	for _, f := range o.Files {
		r, err := f.Open(ctx)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		files = append(files, data)
	}
	switch made := o.Result.(type) {
	case *boards.ReadFiles:
		*made = found
		made.Boards = slices.Clone(found.Boards)
		return o.Put("marks.json", "application/json", strings.NewReader("[]"))
	case *int:
		*made = len(found.Boards)
		return o.Put("package.zip", "application/zip", bytes.NewReader(sampleZip))
	case *map[string][]boards.LayerPicture:
		*made = map[string][]boards.LayerPicture{"blinker": {{Name: "F_Cu", Role: "copper", Side: "top", Order: 1, Key: "layer-1.png"}}}
		return o.Put("layer-1.png", "image/png", bytes.NewReader([]byte("a picture")))
	}
	if o.Files[0].Name == "bom.csv" {
		return nil // it finds no line of parts
	}
	_, err := archive.Unpack(ctx, o.Files[0].Name, bytes.NewReader(files[0]), int64(len(files[0])), archive.DefaultLimits(),
		func(m archive.Member, r io.Reader) error { return o.Put(m.Name, "", r) })
	return err
}

// found is what is read from the sample board.
var found = boards.ReadFiles{
	Package: "package.zip",
	Files:   []boards.FileClass{{Name: "blinker-F_Cu.gbr", Role: "copper", Side: "top", Layer: 1, Format: "gerber", Why: "the file says so", Confidence: 1, Board: "blinker"}},
	Boards: []boards.Board{{Name: "blinker", Facts: map[string]boards.Fact{
		"layers": {Value: 2, Source: "a"}, "width_mm": {Value: 50.0, Source: "a"}, "height_mm": {Value: 30.0, Source: "a"},
	}}},
}

// measure stands for the measuring of boards, as read does for reading: it tells
// on the way, and leaves a report.
func measure(_ context.Context, files []worker.Source, check designchecks.DesignCheck, step func(designchecks.DesignCheck)) (designcheck.Measured, error) {
	if len(files) == 0 || len(files) == 1 && strings.HasSuffix(files[0].Name, ".txt") {
		return designcheck.Measured{}, contract.Refuse(contract.DesignFiles, "No board was found in the files.")
	}
	check.Step = "Measuring."
	step(check)
	check.Board, check.Status, check.Report = "blinker", designchecks.Pass, "report.html"
	return designcheck.Measured{Check: check, Blobs: []designcheck.Blob{{Name: "report.html", Kind: "text/html", Data: []byte("<p>pass")}}}, nil
}

// lookUp stands for the suppliers: the fabricator has some of the parts.
func (w *world) lookUp(ctx context.Context, _ partsourcing.List, everywhere bool) (r partchecks.Report) {
	_ = w.Effect(ctx, "look parts up", func() error {
		r = partchecks.Report{Phase: partchecks.AtFab, Boards: 10, RetryAfterS: 5, Parts: []partchecks.Found{
			{Reference: "R1", Part: "10 kΩ", QuantityPerBoard: 1, Verdict: "ok", Source: "fab", CostUSD: "1.50"}, {Reference: "U1", Part: "NE555", QuantityPerBoard: 1, Verdict: "checking"},
			{Reference: "J1", Part: "connector", QuantityPerBoard: 1, Verdict: "ok", Source: "fab", Bought: 60, CostUSD: "2.90", Supply: &partchecks.Supply{Stock: 900, Needed: 60, Source: "fab", At: w.Now()}},
		}}
		if r.Parts[0].Bought = 10; w.soldOut {
			r.Parts[0].Bought, r.Parts[0].Verdict = 0, "problem"
		}
		r.Parts[0].Supply = &partchecks.Supply{Stock: 1000 * r.Parts[0].Bought, Needed: 10, Source: "fab", At: w.Now()}
		if everywhere {
			r.Phase, r.RetryAfterS, r.Parts[1].Verdict = partchecks.Complete, 0, "problem"
		}
		return nil
	})
	return r
}

// checkParts asks for one of a few lists, as an edge does.
func (w *world) checkParts(data partchecks.CheckData) {
	id, err := partchecks.ID(account, data)
	if err != nil {
		panic(err)
	}
	data.Check = id
	w.command(partchecks.Check, data)
}

// ask sends a client's command until it is stored, as an edge does.
func (w *world) ask(name contract.CommandName, data any) string {
	request := contract.IDFrom(contract.RequestPrefix, w.Now(), fmt.Sprint(len(w.requests)))
	w.repeat(request, name, data)
	return request
}

func (w *world) repeat(request string, name contract.CommandName, data any) {
	w.requests[request] = name
	if price, ok := data.(quotes.PriceData); ok {
		price.Quote = contract.SecretRef(w.keys.QuoteID(request))
		data = price
	}
	if table, ok := data.(pricetables.PriceData); ok {
		table.Table = request
		data = table
	}
	if search, ok := data.(savings.FindData); ok {
		search.Savings = request
		data = search
	}
	c, err := contract.NewCommand(name, request, account, w.Now(), data)
	if err != nil {
		panic(err)
	}
	w.order(c)
}

// order sends a command until it is stored.
func (w *world) order(c contract.Command) {
	for w.try(c) != nil {
	}
}

// try keeps an edge that dies from being the simulation's end.
func (w *world) try(c contract.Command) (err error) {
	defer func() {
		if r := recover(); r != nil {
			crash, ok := r.(flow.Crash)
			if !ok {
				panic(r)
			}
			err = crash
		}
	}()
	return w.Send(context.Background(), c)
}

// upload sends a board, at times to an upload that is there.
func (w *world) upload() {
	ref := contract.SecretRef(fmt.Sprint(contract.UploadPrefix, len(w.uploads)))
	if len(w.uploads) > 0 && w.Chance(30) {
		ref = pick(w, w.uploads)
	} else {
		w.uploads = append(w.uploads, ref)
	}
	key := uploads.StagingPrefix + fmt.Sprint(len(w.staged))
	w.blobs.kept[key] = kept{sampleZip, blob.Info{Key: key, Size: int64(len(sampleZip)), ModTime: w.Now()}}
	request := w.ask(uploads.AddFiles, uploads.AddFilesData{Ref: ref, Files: []uploads.StagedFile{
		{Name: fmt.Sprintf("board-%d.zip", len(w.staged)), Size: int64(len(sampleZip)), SHA256: "0", Key: key},
	}})
	w.staged[key] = staged{request, ref}
}
