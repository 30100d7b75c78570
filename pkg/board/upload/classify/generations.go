package classify

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// generations leaves the older of two plots of one board in a folder aside, whose files
// state the same layers and are called alike but for what stands between the words:
// board-F.Cu.gbr beside board-F_Cu.gbr, before and after the tool named its plots anew.
func (s *Set) generations() {
	type place struct{ dir, name, says string }
	files := map[place][]*Result{}
	for _, r := range s.Results {
		if says := r.function(); says != "" && r.Format == FormatGerber {
			k := place{r.dir, plainName(r.stem), says}
			files[k] = append(files[k], r)
		}
	}
	type pair struct{ older, newer *Result }
	byDir := map[string][]pair{}
	mixed := map[string]bool{} // folders of which it cannot be told
	for k, rs := range files {
		if len(rs) < 2 {
			continue
		}
		x, y := rs[0], rs[1]
		before, known := earlier(x, y)
		if len(rs) > 2 || !known {
			mixed[k.dir] = true
			continue
		}
		if before {
			byDir[k.dir] = append(byDir[k.dir], pair{x, y})
		} else {
			byDir[k.dir] = append(byDir[k.dir], pair{y, x})
		}
	}
	for dir, pairs := range byDir {
		copper := slices.ContainsFunc(pairs, func(p pair) bool { return p.older.Role == pcb.RoleCopper })
		for _, p := range pairs {
			if o := p.older; copper && !mixed[dir] {
				o.Older, o.Format, o.Role, o.Side, o.Order = p.newer.Name, FormatCopy, pcb.RoleOther, pcb.NoSide, 0
				o.Why = "left aside: an older plot of the layer that " + strconv.Quote(p.newer.base) + " is"
			}
		}
	}
}

// function is the file function that a Gerber states; "" for none.
func (r *Result) function() string {
	i := slices.IndexFunc(r.Evidence, func(w Evidence) bool { return w.Weight == weightAttribute && strings.HasPrefix(w.Why, "file function") })
	if i < 0 {
		return ""
	}
	return r.Evidence[i].Why
}

// plainName is a name without what stands between its words.
func plainName(stem string) string {
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("._- ", c) {
			return -1
		}
		return c
	}, strings.ToLower(stem))
}

var (
	plotTime = pattern.Lazy(`\.CreationDate,(\S+?)\*`)
	plotDay  = pattern.Lazy(`(?m)^G04.* date (?:\w{2,4} )?(\w{3} +\d{1,2} \d{2}:\d{2}:\d{2} (?:\w{2,4} )?(\d{4}))\b`)
	plotYear = pattern.Lazy(`(?m)^G04.* date [^*\n]*\b((?:19|20)\d{2})\b`)
)

// plotStart is how much of a file is looked at for when it was plotted.
const plotStart = 4096

// earlier tells whether x was plotted before y, where both say when.
func earlier(x, y *Result) (before, known bool) {
	head := func(r *Result) []byte { return r.file.Data[:min(len(r.file.Data), plotStart)] }
	if t, ok := moment(head(x)); ok {
		if u, ok := moment(head(y)); ok && !t.Equal(u) {
			return t.Before(u), true
		}
	}
	a, b := plotYear().FindSubmatch(head(x)), plotYear().FindSubmatch(head(y))
	if a == nil || b == nil || string(a[1]) == string(b[1]) {
		return false, false
	}
	return string(a[1]) < string(b[1]), true
}

// moment is when a file says that it was plotted, in its attribute or as KiCad writes it in
// English.
func moment(head []byte) (time.Time, bool) {
	if m := plotTime().FindSubmatch(head); m != nil {
		t, err := time.Parse(time.RFC3339, string(m[1]))
		return t, err == nil
	}
	if m := plotDay().FindSubmatch(head); m != nil {
		for _, layout := range []string{"Jan _2 15:04:05 2006", "Jan 2 15:04:05 2006", "Jan 2 15:04:05 MST 2006"} {
			if t, err := time.Parse(layout, string(m[1])); err == nil {
				return t, true
			}
		}
	}
	return time.Time{}, false
}
