package faults_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/processes"
	"boardorder/pkg/bus"
)

// kills counts what was done to the processes, and what they did themselves.
type kills struct {
	mu     sync.Mutex
	of     map[string]int
	all    int      // times when everything was killed at once
	frozen int      // times when a process stood still for longer than others wait for it
	lost   int      // replies of the companies outside that were lost on purpose
	gaveUp []string // processes that ended by themselves
	waited int      // of these, how many had waited in vain for the broker at their start
	again  int      // dead letters of commands whose runs were killed, that were sent again
}

func (k *kills) add(name string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.of == nil {
		k.of = map[string]int{}
	}
	k.of[name]++
}

// torment kills processes, each at least once, until ctx ends, and then leaves
// everything running. The seed decides who, when, and for how long.
func (r *rig) torment(ctx context.Context) {
	dice := rand.New(rand.NewPCG(r.seed, 1))
	var frozen sync.WaitGroup
	defer frozen.Wait()
	all := r.system.Processes()
	first := dice.Perm(len(all)) // everybody once, then anybody
	for i := 0; i < len(first) || ctx.Err() == nil; i++ {
		victim := all[dice.IntN(len(all))]
		if i < len(first) {
			victim = all[first[i]]
		}
		down := time.Duration(dice.Int64N(int64(300 * time.Millisecond)))
		pause := r.plan.calm/4 + time.Duration(dice.Int64N(int64(r.plan.calm*3/4)))
		everything := i >= len(first) && dice.IntN(20) == 0
		if everything || slices.Contains(r.system.Nodes, victim) {
			r.awaitNodes() // without a majority nothing goes on: that is not what is tested
		}
		r.awaitLife(victim)
		order := dice.Perm(len(all))
		lead := time.Duration(dice.Int64N(int64(40 * time.Millisecond)))
		still := bus.DefaultAckWait + time.Duration(dice.Int64N(int64(time.Second)))
		if p := r.system.Services[dice.IntN(len(r.system.Services))]; dice.IntN(6) == 0 {
			frozen.Go(func() { r.freeze(p, still) })
		}
		r.loseReplies(ctx, dice)
		select {
		case r.rush <- r.plan.clients:
		default:
		}
		wait(ctx, lead)
		if everything {
			r.killAll(all, order, down)
		} else {
			r.kill(victim, down)
		}
		wait(ctx, pause)
		r.revive(all)
	}
	r.revive(all)
}

// awaitNodes waits until every node of the broker has all that it stores.
func (r *rig) awaitNodes() {
	ctx, cancel := context.WithTimeout(r.t.Context(), time.Minute)
	defer cancel()
	for _, p := range r.system.Nodes {
		if err := p.Ready(ctx); err != nil {
			r.ledger.blame("%v", err)
		}
	}
}

// awaitLife waits until a process that was killed before is at work again, for a
// while: on a busy machine none would ever be.
func (r *rig) awaitLife(p *processes.Process) {
	ctx, cancel := context.WithTimeout(r.t.Context(), 10*time.Second)
	defer cancel()
	_ = p.Ready(ctx) // it may wait for another that is down
}

func (r *rig) kill(p *processes.Process, down time.Duration) {
	p.Kill()
	r.kills.add(p.Name)
	wait(context.Background(), down)
	r.start(p)
}

// freeze lets a process stand still until others have taken up its work.
func (r *rig) freeze(p *processes.Process, still time.Duration) {
	p.Freeze()
	r.kills.mu.Lock()
	r.kills.frozen++
	r.kills.mu.Unlock()
	wait(context.Background(), still)
	p.Thaw()
}

func (r *rig) killAll(all []*processes.Process, order []int, down time.Duration) {
	r.kills.mu.Lock()
	r.kills.all++
	r.kills.mu.Unlock()
	for _, p := range all {
		p.Kill()
		r.kills.add(p.Name)
	}
	wait(context.Background(), down)
	for _, i := range order {
		r.start(all[i])
	}
}

func (r *rig) start(p *processes.Process) {
	if err := p.Start(); err != nil {
		r.ledger.blame("%v", err)
	}
}

// revive starts what ended by itself, and notes it.
func (r *rig) revive(all []*processes.Process) {
	for _, p := range all {
		if why := p.Failure(); why != nil {
			r.kills.mu.Lock()
			if lacksBroker(why) {
				r.kills.waited++
			} else {
				r.kills.gaveUp = append(r.kills.gaveUp, why.Error())
			}
			r.kills.mu.Unlock()
			r.start(p)
		}
	}
}

// lacksBroker reports whether a process ended because the broker did not answer at
// its start: whoever runs it starts it again.
func lacksBroker(why error) bool {
	s := why.Error()
	return strings.HasSuffix(s, context.DeadlineExceeded.Error()) || strings.Contains(s, bus.ErrTopology.Error())
}

// wait lets time pass for the schedule.
func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}

// What the companies outside may do without saying so, and hear of it again.
var losable = []string{
	"POST /v1/checkout/sessions", "GET /v1/checkout/sessions", "POST /cards/pay", "GET /v1/payment_intents",
	"POST /fab/overseas/openapi/pcb/create", "POST /fab/overseas/openapi/pcb/order/detail",
	"POST /fab/overseas/openapi/pcb/uploadGerber", "POST /fab/overseas/openapi/pcb/calculate",
}

// loseReplies has the next reply of some call lost, and card notices sent twice,
// late and out of order. The simulator forgets this when it is killed.
func (r *rig) loseReplies(ctx context.Context, dice *rand.Rand) {
	call := losable[dice.IntN(len(losable))]
	err := r.control(ctx, map[string]any{
		"webhooks": map[string]any{"duplicate": 1, "delay_ms": 800},
		"faults":   []map[string]any{{"match": call, "kind": "lose_reply"}},
	})
	if err == nil {
		r.kills.mu.Lock()
		r.kills.lost++
		r.kills.mu.Unlock()
	}
}

// control tells the simulator how to behave.
func (r *rig) control(ctx context.Context, c map[string]any) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.system.Ready.SimulatorURL+"/_control", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// behave ends all misbehaviour, and has what is owed sent now.
func (r *rig) behave(ctx context.Context) error {
	secret, err := infra.WebhookSecret(r.dir)
	if err != nil {
		return err
	}
	return r.control(ctx, map[string]any{
		"clear": true, "webhooks": map[string]any{"duplicate": 0, "delay_ms": 0, "paused": false},
		"webhook_endpoint": map[string]any{"url": r.system.BaseURL + "/webhooks/card", "secret": secret},
	})
}
