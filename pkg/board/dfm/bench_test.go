package dfm

import (
	"context"
	"testing"

	"boardorder/pkg/board"
	"boardorder/pkg/board/testkit/corpus"
)

// BenchmarkRules times every rule alone over all published designs, parts that
// rules share made before. "shared" is the making of those.
func BenchmarkRules(b *testing.B) {
	fab := primary(b)
	var inputs []*input
	for _, row := range corpus.Designs(b) {
		for _, x := range load(b, row["name"]) {
			inputs = append(inputs, benchInput(fab, x))
		}
	}
	ctx := context.Background()
	b.Run("shared", func(b *testing.B) {
		for b.Loop() {
			for _, in := range inputs {
				warm(benchInput(fab, in.board))
			}
		}
	})
	for _, in := range inputs {
		warm(in)
	}
	for i := range rules {
		b.Run(string(rules[i].judges[0]), func(b *testing.B) {
			for b.Loop() {
				for _, in := range inputs {
					rules[i].try(ctx, in)
				}
			}
		})
	}
}

func benchInput(fab *Capability, x *board.Board) *input {
	return newInput(context.Background(), x, Options{Limits: fab.Limits(Build{Layers: len(x.Copper())})})
}

// warm makes what rules share.
func warm(in *input) {
	_, _ = in.copper()
	in.faces()
	in.legends()
	in.drills()
	in.border()
	in.live()
}
