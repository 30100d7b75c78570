// Package parallel does the same for many things at once.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
)

// A Panic is what a call that broke down left behind, with where it did.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// Run calls do for 0 to n-1, as many at once as there are processors, and
// returns when all are done. What ctx cuts off is not called: the error is then
// that of ctx. A call that panics lets those under way finish; Each then panics
// with a [Panic], so that whoever guards the caller guards the calls too.
func Run(ctx context.Context, n int, do func(i int)) error {
	var all sync.WaitGroup
	var once sync.Once
	var broken *Panic
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i := range n {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() {
				if v := recover(); v != nil {
					once.Do(func() { broken = &Panic{v, debug.Stack()} })
					stop(broken)
				}
				<-slots
			}()
			do(i)
		})
	}
	all.Wait()
	if broken != nil {
		panic(broken)
	}
	return context.Cause(ctx)
}
