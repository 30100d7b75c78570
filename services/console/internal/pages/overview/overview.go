package overview

import (
	"slices"
	"strconv"

	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/pkg/provider"
	"boardorder/pkg/status"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"

	"golang.org/x/sync/errgroup"
)

type overviewView struct {
	page.Frame
	Day           string
	Today, Before Takings
	Week          Conversion
	Speed         speed
	Busy          []tile   // the kinds of work that there is
	Idle          []string // the others
	Tasks         []task   // those that wait longest
	More          int
	Dead, Waiting string // how many
	Trouble       string
	Providers     []provider.Health
}

// ProviderTrouble are the providers that do not do as they should.
func (v overviewView) ProviderTrouble() []provider.Health {
	return slices.DeleteFunc(slices.Clone(v.Providers), func(h provider.Health) bool { return h.State == provider.Works || h.State == provider.Unasked })
}

// maxTasks is how many tasks are shown one by one.
const maxTasks = 20

// Show shows what waits for people, what the day brings, and whether the machine keeps up.
func (s *Section) Show(c *page.Call) error {
	now := s.Now().UTC()
	v := overviewView{Frame: c.Frame("overview", "Overview"), Day: now.Format("Monday, 2 January")}
	v.Refresh = 15
	var tasks []task
	group, ctx := errgroup.WithContext(c.R.Context())
	group.Go(func() (err error) { tasks, err = s.readTasks(c, ctx, now); return err })
	group.Go(func() (err error) { v.Today, v.Before, err = s.readSales(ctx, now); return err })
	group.Go(func() (err error) { v.Week, err = s.readConversion(ctx, now); return err })
	if err := group.Wait(); err != nil {
		return err
	}
	tasks = sortTasks(tasks)
	for _, t := range countTasks(tasks) {
		if t.Count == 0 {
			v.Idle = append(v.Idle, t.Many)
			continue
		}
		t.Age = format.Wait(now, t.Since)
		v.Busy = append(v.Busy, t)
	}
	v.More = max(0, len(tasks)-maxTasks)
	v.Tasks = tasks[:min(len(tasks), maxTasks)]
	if err := s.describe(c, v.Tasks, now); err != nil {
		return err
	}
	s.readMachine(c, &v)
	return c.Show(templates, "overview", v)
}

// readMachine reads how the broker and pricing do. The rest of the page is worth having
// without it.
func (s *Section) readMachine(c *page.Call, v *overviewView) {
	states, err := s.Bus.States(c.R.Context())
	if err == nil {
		v.Dead, v.Waiting = deadAndWaiting(states)
		var events []bus.Headline
		if events, err = s.Bus.Latest(c.R.Context(), contract.QuoteAggregate, nil, speedEvents); err == nil {
			v.Speed = measureSpeed(events)
		}
	}
	if err == nil {
		v.Providers, err = status.ReadHealth(c.R.Context(), s.Health, s.Now())
	}
	if err != nil {
		v.Dead, v.Waiting, v.Trouble = "?", "?", "The broker does not answer now."
	}
}

func deadAndWaiting(states []bus.StreamState) (dead, waiting string) {
	dead, n := "0", 0
	for _, s := range states {
		if s.Stream == contract.DeadLetterStream {
			dead = strconv.FormatUint(s.Messages, 10)
		}
		if s.Stream != contract.CommandStream && s.Stream != contract.RequestStream {
			continue
		}
		for _, c := range s.Consumers {
			n += int(c.Pending) + c.AckPending
		}
	}
	return dead, strconv.Itoa(n)
}
