package dfm

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/board"
)

// texts judges lettering by what the files state of it: its height, and whether it
// reads the right way round from the side that it is on.
func texts(_ context.Context, in *input) result {
	g := in.legendGauge(SilkHeight)
	var mirrored places
	known, drawnOnly := 0, false
	for _, l := range in.board.Layers {
		if l.Role != board.RoleSilk && l.Role != board.RoleCopper && l.Role != board.RoleMask {
			continue
		}
		known += len(l.Texts)
		drawnOnly = drawnOnly || l.Role == board.RoleSilk && len(l.Texts) == 0 && drawn(l)
		for _, t := range l.Texts {
			if strings.TrimSpace(t.Text) == "" {
				continue
			}
			p := Place{Layer: l.Name, At: t.At, To: t.At, Value: t.Height, Objects: [2]string{"text " + clip(t.Text)}}
			if l.Role == board.RoleSilk && t.Height > 0 {
				g.add(p)
			}
			if backwards(l.Side, &t) {
				p.Value = 0
				mirrored.at(p)
			}
		}
	}
	r := g.legendResult(func(j judged) string {
		return fmt.Sprintf("The legend has %s lower than %s (down to %s): %s may not be legible.",
			plural(j.count, "text"), mm(j.limit), mm(j.value), either(j.count, "it", "they"))
	})
	r.add(found(TextMirrored, Warning, func(n int) string {
		return fmt.Sprintf("%s backwards from the side that %s on: text on the bottom has to be mirrored, text on the top not.", plural(n, "text")+" "+either(n, "reads", "read"), either(n, "it is", "they are"))
	}, &mirrored))
	if known == 0 && drawnOnly {
		r.unchecked = append(r.unchecked, "height and mirroring of text: the files hold text as lines only")
	}
	return r
}

func clip(s string) string {
	const most = 40
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// backwards tells whether a text cannot be read from its side of the board.
func backwards(s board.Side, t *board.Text) bool {
	if s != board.Top && s != board.Bottom || t.Mirrored == (s == board.Bottom) {
		return false
	}
	return !symmetric(t.Text)
}

// symmetric tells whether a mirror leaves a text as it is.
func symmetric(s string) bool {
	r := []rune(strings.TrimSpace(s))
	for i := range r {
		if r[i] != r[len(r)-1-i] || !strings.ContainsRune("AHIMOTUVWXYilmotuvwxy018+-=*.:|°'\" ", r[i]) {
			return false
		}
	}
	return true
}
