package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"
)

// A wish is one thing that a customer wants.
type wish struct {
	name   string
	body   []byte
	repeat int    // how often more the same is asked for, at the same time
	again  bool   // once more, later
	pay    bool   // the board is bought
	check  string // the upload to check the design of, if any
	files  bool   // a board that nobody has seen is quoted too
}

// run drives customers through the system while it is tormented.
func (r *rig) run() {
	r.round(r.plan.load, func(ctx context.Context) {
		pain, relief := context.WithCancel(ctx)
		var torment sync.WaitGroup
		torment.Go(func() { r.torment(pain) })
		defer func() { relief(); torment.Wait() }()

		r.upload(ctx)
		if !r.t.Failed() {
			r.trade(ctx, r.plan.quotes)
		}
	})
}

// trade lets customers make so many requests, and returns when all have their
// outcome. Closing r.enough ends it earlier.
func (r *rig) trade(ctx context.Context, quotes int) {
	wishes := make(chan wish)
	var customers sync.WaitGroup
	for range r.plan.clients {
		customers.Go(func() {
			c := newClient(r)
			defer c.http.CloseIdleConnections()
			for w := range wishes {
				r.serve(ctx, c, w)
			}
		})
	}
	r.wish(ctx, wishes, quotes)
	customers.Wait()
}

// fail notes what a customer could not get done. After a few of these there is
// no point in going on.
func (r *rig) fail(err error) {
	r.t.Errorf("a customer could not go on: %v", err)
	if r.failures.Add(1) >= 10 {
		r.giveUp()
	}
}

// upload puts the boards there that are quoted later, all at once.
func (r *rig) upload(ctx context.Context) {
	var all sync.WaitGroup
	for range r.plan.uploads {
		all.Go(func() {
			c := newClient(r)
			defer c.http.CloseIdleConnections()
			if _, err := r.uploadOne(ctx, c); err != nil {
				r.fail(err)
			}
		})
	}
	all.Wait()
}

// uploadOne sends a board whose files nobody has seen before.
func (r *rig) uploadOne(ctx context.Context, c *client) (id string, err error) {
	if id, err = c.upload(ctx, int(r.boards.Add(1))); err == nil {
		r.ledger.do(func() { r.ledger.uploads = append(r.ledger.uploads, id) })
	}
	return id, err
}

// pickUpload is one of those that were there first.
func (r *rig) pickUpload() (id string) {
	n := r.dice.IntN(r.plan.uploads)
	r.ledger.do(func() { id = r.ledger.uploads[n] })
	return id
}

// wish hands out one wish after another at the plan's pace, and many at once
// right before a kill, so that there is work in hand. The seed decides what is
// wished for.
func (r *rig) wish(ctx context.Context, wishes chan<- wish, quotes int) {
	defer close(wishes)
	tick := time.NewTicker(r.plan.pace)
	defer tick.Stop()
	var rush int
	for i := range quotes {
		w, err := r.choose(r.wishes)
		r.wishes++
		if err != nil {
			r.fail(err)
			return
		}
		select {
		case <-ctx.Done():
			r.fail(fmt.Errorf("only %d of %d requests were made", i, quotes))
			return
		case <-r.enough:
			return
		case wishes <- w:
		}
		if rush--; rush > 0 {
			continue
		}
		select {
		case <-tick.C:
		case rush = <-r.rush:
		}
	}
}

// choose decides what a customer asks for.
func (r *rig) choose(i int) (wish, error) {
	dice := r.dice
	w := wish{name: "board " + strconv.Itoa(i), pay: i*r.plan.payments/r.plan.quotes != (i+1)*r.plan.payments/r.plan.quotes}
	switch dice.IntN(12) {
	case 0, 1:
		w.repeat = 1 + dice.IntN(2)
	case 2:
		w.again = true
	case 3:
		w.check = r.pickUpload()
	case 4:
		w.files = dice.IntN(2) == 0
	}
	body := map[string]any{
		"upload_id": r.pickUpload(), "quantity": 5 * (1 + dice.IntN(6)),
		"standard_for_unstated": true, "project_name": w.name,
	}
	if dice.IntN(3) == 0 {
		body["solder_mask"] = []string{"Green", "Red", "Blue"}[dice.IntN(3)]
	}
	var err error
	w.body, err = json.Marshal(body)
	return w, err
}

// serve fulfils a wish: a quote, the same quote for every repetition, and a
// payment if it is bought.
func (r *rig) serve(ctx context.Context, c *client, w wish) {
	var echo sync.WaitGroup
	defer echo.Wait()
	for range w.repeat {
		echo.Go(func() {
			if _, err := c.quote(ctx, w.name, w.body); err != nil {
				r.fail(err)
			}
		})
	}
	if w.check != "" {
		if err := c.checkDesign(ctx, w.check); err != nil {
			r.fail(err)
		}
	}
	if w.files {
		if err := r.quoteNewBoard(ctx, c, w.name); err != nil {
			r.fail(err)
		}
	}
	id, err := c.quote(ctx, w.name, w.body)
	if err != nil {
		r.fail(err)
		return
	}
	if w.again { // later
		if _, err := c.quote(ctx, w.name, w.body); err != nil {
			r.fail(err)
		}
	}
	if !w.pay {
		return
	}
	if err := r.buy(ctx, id); err != nil {
		r.fail(fmt.Errorf("%s: %w", w.name, err))
	}
}

// quoteNewBoard asks for a price of files that nobody has read before.
func (r *rig) quoteNewBoard(ctx context.Context, c *client, name string) error {
	id, err := r.uploadOne(ctx, c)
	if err != nil {
		return err
	}
	name = "another " + name
	_, err = c.quote(ctx, name, requestOf(id, name, 10))
	return err
}
