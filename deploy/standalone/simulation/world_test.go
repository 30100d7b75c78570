package simulation

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"boardorder/deploy/standalone/internal/sample"
	"boardorder/pkg/aggregate"
	"boardorder/pkg/archive"
	"boardorder/pkg/blob"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
	"boardorder/pkg/secret"
	"boardorder/pkg/worker"
	"boardorder/services/console"
	designcheck "boardorder/services/design-check"
	"boardorder/services/payment"
	"boardorder/services/pricing"
	"boardorder/services/upload"

	"go.uber.org/zap"
)

// world is everything: the services, the companies outside, and the people.
type world struct {
	*simbus.Sim
	keys     *secret.Keyring
	cards    *cards
	fab      *fab
	blobs    *blobs
	uploader *upload.Service
	requests map[string]contract.CommandName // everything that a client was promised an answer to
	uploads  []string
	paid     map[string]bool // sessions that a customer has seen
}

const account = "acc_sim"

// sampleZip is made once: it is the same in every world.
var sampleZip = func() []byte {
	zip, err := sample.Zip()
	if err != nil {
		panic(err)
	}
	return zip
}()

func newWorld(seed uint64, faults simbus.Faults, pricer func(*simbus.Sim, *secret.Keyring, *fab) (*pricing.Service, error)) (*world, error) {
	sim := simbus.New(seed, faults)
	keys, err := secret.New(make([]byte, secret.MinMaster))
	if err != nil {
		return nil, err
	}
	w := &world{
		Sim: sim, keys: keys, cards: newCards(sim), fab: newFab(sim), blobs: &blobs{sim, map[string]kept{}},
		requests: map[string]contract.CommandName{}, paid: map[string]bool{},
	}
	prices, err := pricer(sim, keys, w.fab)
	if err != nil {
		return nil, err
	}
	log := zap.NewNop()
	pay := payment.New(payment.Config{PublicURL: "https://shop"}, sim, keys,
		payment.Ports{Cards: w.cards, Fabricator: w.fab, Adapter: "simulated", Files: w.blobs, Docs: docs{sim}}, log, sim.Now)
	up := upload.New(upload.Config{Retention: 6 * time.Hour}, sim, w.blobs, unpacker{}, log, sim.Now)
	check, err := designcheck.New(designcheck.Config{MemoryMB: 64, ReadTimeout: time.Minute}, sim, w.blobs, nil, log, sim.Now)
	if err != nil {
		return nil, err
	}
	check.With(measure)
	w.uploader = up
	w.Handle(console.NewAccounts(sim, sim.Now).Handlers(), prices.Handlers(), pay.Handlers(), up.Handlers(), check.Handlers())
	w.Handle(flow.Handlers{contract.ReadBoard: w.read})
	return w, nil
}

// read stands for the reading of files, which is a pure function of its own and
// far too slow for thousands of worlds: it finds what the sample board holds.
func (w *world) read(ctx context.Context, c contract.Command) error {
	var data contract.ReadBoardData
	if err := decode(c, &data); err != nil {
		return err
	}
	pack := contract.BoardsPrefix + data.Digest + "/package.zip"
	before, err := aggregate.Load[contract.ReadFiles](ctx, w.Sim, contract.BoardAggregate, data.Digest)
	if err != nil || before.Exists() && !before.State.Gone {
		return err
	}
	if _, err := w.blobs.Put(ctx, pack, reading(sampleZip), -1, "application/zip"); err != nil {
		return err
	}
	_, err = aggregate.Execute(ctx, w.Sim, contract.BoardAggregate, data.Digest, c, w.Now(),
		func(aggregate.Snapshot[contract.ReadFiles]) (*aggregate.Change[contract.ReadFiles], error) {
			return &aggregate.Change[contract.ReadFiles]{Event: contract.BoardRead, State: contract.ReadFiles{
				Digest: data.Digest, Package: pack, Reader: designcheck.Version, ReadAt: w.Now(),
				Boards: []contract.BoardFile{{Name: "blinker", Facts: map[string]contract.Fact{
					"layers": {Value: 2, Source: "a"}, "width_mm": {Value: 50.0, Source: "a"}, "height_mm": {Value: 30.0, Source: "a"},
				}}},
			}}, nil
		})
	return err
}

// unpacker stands for a worker that unpacks.
type unpacker struct{}

func (unpacker) Run(ctx context.Context, o worker.Order) error {
	f, err := o.Files[0].Open(ctx)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return err
	}
	_, err = archive.Unpack(ctx, o.Files[0].Name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(),
		func(m archive.Member, r io.Reader) error { return o.Put(m.Name, "", r) })
	return err
}

// measure stands for the measuring of boards, as read does for reading: it tells
// on the way, and leaves a report.
func measure(_ context.Context, files []worker.Source, asked contract.DesignCheck, step func(contract.DesignCheck)) (designcheck.Measured, error) {
	if len(files) == 0 {
		return designcheck.Measured{}, contract.Refuse(contract.DesignFiles, "No board was found in the files.")
	}
	asked.Step = "Measuring."
	step(asked)
	asked.Board, asked.Status, asked.Report = "blinker", contract.CheckPass, "report.html"
	return designcheck.Measured{Check: asked, Blobs: []designcheck.Blob{{Name: "report.html", Kind: "text/html", Data: []byte("<p>pass")}}}, nil
}

// ask sends a client's command until it is stored, as an edge does.
func (w *world) ask(name contract.CommandName, data any) string {
	request := contract.NewID(contract.RequestPrefix, w.Now())
	w.repeat(request, name, data)
	return request
}

func (w *world) repeat(request string, name contract.CommandName, data any) {
	w.requests[request] = name
	if price, ok := data.(contract.PriceQuoteData); ok {
		price.Quote = contract.SecretRef(w.keys.QuoteID(request))
		data = price
	}
	c, err := contract.NewCommand(name, request, account, w.Now(), data)
	if err != nil {
		panic(err)
	}
	for w.try(c) != nil {
	}
}

// try keeps an edge that dies from being the simulation's end.
func (w *world) try(c contract.Command) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(flow.Crash); !ok {
				panic(r)
			}
			err = fmt.Errorf("crashed: %v", r)
		}
	}()
	return w.Send(context.Background(), c)
}

func (w *world) upload() {
	ref := contract.SecretRef(w.keys.NewUploadID())
	key := contract.StagingPrefix + fmt.Sprint(len(w.uploads))
	w.blobs.kept[key] = kept{sampleZip, blob.Info{Key: key, Size: int64(len(sampleZip)), ModTime: w.Now()}}
	w.uploads = append(w.uploads, ref)
	w.ask(contract.AddFiles, contract.AddFilesData{Ref: ref, Files: []contract.StagedFile{
		{Name: fmt.Sprintf("board-%d.zip", len(w.uploads)), Size: int64(len(sampleZip)), SHA256: "0", Key: key},
	}})
}
