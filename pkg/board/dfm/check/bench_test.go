package check

import (
	"context"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/corpus"
)

// BenchmarkRules times every rule alone over all published designs, parts that
// rules share made before. "shared" is the making of those.
func BenchmarkRules(b *testing.B) {
	fab := primary(b)
	var inputs []*measure.Input
	for _, row := range corpus.Designs(b) {
		for _, x := range load(b, row["name"]) {
			inputs = append(inputs, benchInput(fab, x))
		}
	}
	ctx := context.Background()
	b.Run("shared", func(b *testing.B) {
		for b.Loop() {
			for _, in := range inputs {
				warm(benchInput(fab, in.Board))
			}
		}
	})
	for _, in := range inputs {
		warm(in)
	}
	for i := range rules {
		b.Run(string(rules[i].Judges[0]), func(b *testing.B) {
			for b.Loop() {
				for _, in := range inputs {
					rules[i].Try(ctx, in)
				}
			}
		})
	}
}

func benchInput(fab *dfm.Capability, x *pcb.Board) *measure.Input {
	return measure.New(context.Background(), x, dfm.Options{Limits: fab.Limits(dfm.Build{Layers: len(x.Copper())})})
}

// warm makes what rules share.
func warm(in *measure.Input) {
	_, _ = in.Copper()
	in.Sides()
	in.Legends()
	in.Drills()
	in.Border()
	in.Live()
}
