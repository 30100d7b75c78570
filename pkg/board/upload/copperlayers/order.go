package copperlayers

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/artwork"
	"boardorder/pkg/board/upload/classify"
)

// AskForOrder asks for the order of the copper layers where two sources state it in two ways,
// and tells the order where nothing states it.
func (s Stack) AskForOrder() {
	stack := artwork.Copper(s.Art)
	slices.SortStableFunc(stack, func(x, y *artwork.File) int { return x.Layer.Order - y.Layer.Order })
	if len(stack) > 0 && stack[0].Result.HasAnswer(pcb.RoleCopper) {
		return
	}
	if messages := s.contradictions(stack); len(messages) > 0 {
		s.Say(pcb.Problem, "layer_order", "", "the files state the order of the copper layers in two ways: they would be built in the order %s, while %s; say with file_answers.layer_order which order is right, or send files that agree",
			listStack(stack), strings.Join(messages, "; "))
		s.Ask(answers.LayerOrder())
		return
	}
	reported := slices.ContainsFunc(s.Board.Findings, func(f pcb.Finding) bool { return f.Code == "layer_order" })
	var guessed []*artwork.File
	for _, w := range stack {
		if w.Result.Guessed {
			guessed = append(guessed, w)
		}
	}
	if reported || len(guessed) < 2 || s.settleByDrills(guessed) {
		return
	}
	s.Say(pcb.Warning, "layer_order", "", "nothing states the order of the inner layers %s: they would be built in the order of their names, %s; say with file_answers.layer_order if it is another", listNames(guessed), listStack(stack))
	s.Ask(answers.LayerOrder())
}

// contradictions are the statements of the order that the layers, from top to bottom, do not
// follow: each names two files, what states their numbers, and these.
func (s Stack) contradictions(stack []*artwork.File) []string {
	const most = 4
	var out []string
	var copper []*classify.Result
	for _, w := range stack {
		copper = append(copper, w.Result)
	}
	laminates := classify.Laminates(copper)
	for i, w := range stack {
		if n := w.Result.Order; len(stack) > 1 && (n == 1 && w.Layer.Side == pcb.Bottom || n == len(stack) && w.Layer.Side == pcb.Top) {
			out = append(out, fmt.Sprintf("%q states to be layer %d and the %s", w.Layer.Name, n, w.Layer.Side))
		}
		for _, below := range stack[i+1:] {
			taken, other := w.Result, below.Result
			if says, ok := taken.Contradicts(other, laminates); ok && w.Layer.Order < below.Layer.Order {
				out = append(out, fmt.Sprintf("%q and %q, taken for layers %d and %d (%s), %s",
					w.Layer.Name, below.Layer.Name, w.Layer.Order, below.Layer.Order, taken.Why, says))
			}
		}
	}
	if left := len(out) - most; left > 0 {
		out = append(out[:most], fmt.Sprintf("there are %d more", left))
	}
	return out
}

// settleByDrills tells whether only one order of the layers given fits the drills that end
// within the board, and whether they lie in it.
func (s Stack) settleByDrills(guessed []*artwork.File) bool {
	order, free := map[int]*artwork.File{}, map[int]bool{}
	for _, w := range artwork.Copper(s.Art) {
		order[w.Layer.Order] = w
	}
	spans := s.measureSpans(len(order))
	ends := map[int]bool{}
	for _, s := range spans {
		ends[s.from], ends[s.to] = true, true
	}
	open := 0
	for _, w := range guessed {
		free[w.Layer.Order] = true
		if !ends[w.Layer.Order] {
			open++
		}
	}
	orders, whole := findOrders(order, free, spans)
	if open > 1 || len(orders) != 1 || !whole {
		return false
	}
	for p, w := range orders[0] {
		if order[p] != w {
			return false
		}
	}
	return true
}

func listNames(ws []*artwork.File) string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = fmt.Sprintf("%q", w.Layer.Name)
	}
	return strings.Join(out, ", ")
}

// listStack tells a stack in words: the number and the file of each layer.
func listStack(stack []*artwork.File) string {
	out := make([]string, len(stack))
	for i, w := range stack {
		out[i] = fmt.Sprintf("%d %q", w.Layer.Order, w.Layer.Name)
	}
	return strings.Join(out, ", ")
}
