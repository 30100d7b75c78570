package pcb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
)

// Work is a kind of thing that a [Budget] counts.
type Work uint8

// Kinds of work. The first ones are objects, kept in memory; the others are steps.
const (
	Drawn      Work = iota // features, copies included
	Corners                // points of areas, paths and outlines
	Primitives             // pieces of apertures
	Drilled                // holes, slots and cuts
	Named                  // nets, pins, parts and attributes, and 64 bytes of text each
	Shapes                 // exact shapes that features come to
	Crossings              // edges of polygons that are cut where they meet
	Pairs                  // things near each other that are measured
	Lookups                // things looked at in search of others
	Painted                // corners and rows of pixels that pictures are made of
	works
)

var workNames = [works]string{
	"drawn objects", "corners of areas", "aperture primitives", "holes", "names and attributes", "shapes",
	"crossings of edges", "pairs of near objects", "objects searched", "rows of pixels",
}

func (w Work) String() string {
	if w < works {
		return workNames[w]
	}
	return "unknown"
}

// weight is how many objects or steps a piece of work counts as: a hole is looked up
// by place again and again, by readers and checks.
func (w Work) weight() int64 {
	if w == Drilled {
		return 8
	}
	return 1
}

// object reports whether w is kept in memory.
func (w Work) object() bool { return w <= Crossings }

// Limits of a budget. 0 takes the default.
type Limits struct {
	Objects int64 // kept in memory, at some hundred bytes each
	Steps   int64 // done with them, at some ten nanoseconds each
}

// DefaultLimits are several times what the largest boards need that were ever seen:
// 1.5 million objects and 20 million steps.
var DefaultLimits = Limits{Objects: 6_000_000, Steps: 100_000_000}

// A Budget bounds what one upload may cost, counted in what its files expand to.
// It lives in a context, which ends when the budget is used up: see [WithBudget].
type Budget struct {
	limits         Limits
	objects, steps atomic.Int64
	end            context.CancelCauseFunc

	mu       sync.Mutex
	accounts []*account
}

// account is what was spent on one file.
type account struct {
	budget *Budget
	file   string
	spent  [works]atomic.Int64
}

type accountKey struct{}

// WithBudget puts a budget into ctx unless it has one already. The context that it
// gives ends when the budget is used up; its cause is then a [TooComplex]. The
// function must be called when the work is done.
func WithBudget(ctx context.Context, l Limits) (context.Context, context.CancelFunc) {
	if ctx.Value(accountKey{}) != nil {
		return ctx, func() {}
	}
	ctx, end := context.WithCancelCause(ctx)
	b := &Budget{limits: l.fillDefaults(), end: end}
	return context.WithValue(ctx, accountKey{}, b.account("")), func() { end(nil) }
}

func (l Limits) fillDefaults() Limits {
	if l.Objects <= 0 {
		l.Objects = DefaultLimits.Objects
	}
	if l.Steps <= 0 {
		l.Steps = DefaultLimits.Steps
	}
	return l
}

// FileContext lets what is spent with the context it gives count for a file.
func FileContext(ctx context.Context, file string) context.Context {
	a, ok := ctx.Value(accountKey{}).(*account)
	if !ok || a.file == file {
		return ctx
	}
	return context.WithValue(ctx, accountKey{}, a.budget.account(file))
}

// account finds the account of a file, or opens it.
func (b *Budget) account(file string) *account {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.accounts {
		if a.file == file {
			return a
		}
	}
	a := &account{budget: b, file: file}
	b.accounts = append(b.accounts, a)
	return a
}

// Excess is why the budget in ctx ended the work; nil when it did not.
func Excess(ctx context.Context) *TooComplex {
	e, _ := errors.AsType[*TooComplex](context.Cause(ctx))
	return e
}

// A Meter counts work for one file. The zero Meter allows everything.
type Meter struct {
	ctx     context.Context
	account *account
}

// MeterOf is the meter of a context: that of its budget, or one that only looks at
// whether ctx has ended.
func MeterOf(ctx context.Context) Meter {
	a, _ := ctx.Value(accountKey{}).(*account)
	return Meter{ctx, a}
}

// FileMeter is a meter like m that counts for a file.
func (m Meter) FileMeter(file string) Meter {
	if m.account != nil {
		m.account = m.account.budget.account(file)
	}
	return m
}

// Spend counts n pieces of work. False says that the work has to stop: the budget
// is used up, or the context has ended for another reason.
func (m Meter) Spend(w Work, n int) bool {
	if a := m.account; a != nil && n > 0 {
		a.spent[w].Add(int64(n))
		a.budget.spend(w, int64(n)*w.weight())
	}
	return m.ctx == nil || m.ctx.Err() == nil
}

// SpendTimes is Spend of n times each, however large that is.
func (m Meter) SpendTimes(w Work, n, each int) bool {
	const most = math.MaxInt32 // more than any budget, and sums of it do not overflow
	if n > 0 && each > most/n {
		return m.Spend(w, most)
	}
	return m.Spend(w, n*each)
}

// HasEnded reports whether the work has to stop.
func (m Meter) HasEnded() bool { return m.ctx != nil && m.ctx.Err() != nil }

// Err is why the work has to stop; nil while it has not.
func (m Meter) Err() error {
	if m.HasEnded() {
		return context.Cause(m.ctx)
	}
	return nil
}

// Total is how much of a kind of work was counted for the whole upload.
func (m Meter) Total(w Work) int64 {
	if m.account == nil {
		return 0
	}
	b, sum := m.account.budget, int64(0)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, a := range b.accounts {
		sum += a.spent[w].Load()
	}
	return sum
}

func (b *Budget) spend(w Work, n int64) {
	if w.object() {
		if b.objects.Add(n) > b.limits.Objects {
			b.end(b.excess(Drawn, Crossings, b.limits.Objects))
		}
		return
	}
	if b.steps.Add(n) > b.limits.Steps {
		b.end(b.excess(Pairs, works-1, b.limits.Steps))
	}
}

// excess blames the file that spent most on kinds of work, and names what it spent
// most on.
func (b *Budget) excess(first, last Work, limit int64) *TooComplex {
	b.mu.Lock()
	defer b.mu.Unlock()
	e, worst := &TooComplex{Limit: limit}, int64(-1)
	for _, a := range b.accounts {
		sum, most := int64(0), first
		for w := first; w <= last; w++ {
			n := a.spent[w].Load() * w.weight()
			sum += n
			if n > a.spent[most].Load()*most.weight() {
				most = w
			}
		}
		if sum > worst {
			worst, e.File, e.Counted = sum, a.file, most
		}
	}
	return e
}

// TooComplex is why the work on an upload was given up: its budget is used up.
type TooComplex struct {
	File    string // that took most of the budget; "" when about no single one
	Counted Work   // what it took it for, mostly
	Limit   int64
}

func (e *TooComplex) Error() string {
	if e.File == "" {
		return e.words()
	}
	return e.File + ": " + e.words()
}

func (e *TooComplex) words() string {
	if e.Counted.object() {
		return fmt.Sprintf("the files expand to more than %d objects, mostly %s", e.Limit, e.Counted)
	}
	return fmt.Sprintf("working out the board takes more than %d steps, mostly %s", e.Limit, e.Counted)
}

// TooComplexCode is the code of the finding that a [TooComplex] makes.
const TooComplexCode = "too_complex"

// Finding tells the customer.
func (e *TooComplex) Finding() Finding {
	return Finding{Code: TooComplexCode, Level: Problem, File: e.File,
		Message: e.words() + ": this is more than any board needs; repeat less, and draw areas as regions instead of many lines"}
}

// A Tally counts work for one goroutine and settles with its meter now and then,
// which costs less than to spend piece by piece.
type Tally struct {
	meter Meter
	work  Work
	open  int
	ended bool
}

// Tally is a tally of the meter.
func (m Meter) Tally(w Work) Tally { return Tally{meter: m, work: w} }

// Add counts n pieces; false says that the work has to stop.
func (t *Tally) Add(n int) bool {
	const batch = 512
	if t.open += n; t.open < batch {
		return !t.ended
	}
	return t.Settle()
}

// Settle spends what is still open.
func (t *Tally) Settle() bool {
	t.ended = !t.meter.Spend(t.work, t.open) || t.ended
	t.open = 0
	return !t.ended
}
