package classify

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// olderCopy is how Allegro and editors of texts call what a file held before it was written
// anew: TOP.art,1 and readme.txt~.
var olderCopy = pattern.Lazy(`^.+\.\w+(,\d{1,3}|~)$`)

// copies leaves copies aside beside what they are copies of: each would count as
// another layer.
func (s *Set) copies() {
	s.olderCopies()
	s.dropCopies()
	s.separatePlots()
	s.generations()
}

func (s *Set) olderCopies() {
	by := map[string]*Result{}
	for _, r := range s.Results {
		by[r.Name] = r
	}
	for _, r := range s.Results {
		m := olderCopy().FindStringSubmatch(r.base)
		if m == nil {
			continue
		}
		if now := by[strings.TrimSuffix(r.Name, m[1])]; now != nil {
			r.CopyOf, r.Format, r.Role = now.Name, FormatCopy, pcb.RoleOther
			r.Side, r.Order, r.FromLayer, r.ToLayer = pcb.NoSide, 0, 0, 0
			r.Why = "an older copy of " + strconv.Quote(now.base)
		}
	}
}

// markedCopy is what systems add to the name of a file that is copied beside itself.
var markedCopy = pattern.Lazy(`(?i)(?:[ _]?-?[ _](?:copy|kopie|copie|copia|kopia|копия|副本|コピー))?(?: ?\(\d{1,2}\))?$`)

// dropCopies leaves aside what was plotted a second time under another extension,
// as KiCad does for those who choose both its own and Protel's, or copied beside
// itself. A file that draws anything else, or another layer, stays; inner planes may
// well be alike.
func (s *Set) dropCopies() {
	type place struct {
		dir, stem string
		role      pcb.Role
		side      pcb.Side
		order     int
	}
	first := map[place][]*Result{}
	all := slices.Clone(s.Results)
	slices.SortStableFunc(all, func(a, b *Result) int { return cmp.Compare(len(a.stem), len(b.stem)) }) // what was copied before its copies
	for _, r := range all {
		k := place{r.dir, markedCopy().ReplaceAllString(r.stem, ""), r.Role, r.Side, r.Order}
		if r.Format != FormatGerber || !ofOneFile[r.Role] || k.side != pcb.Top && k.side != pcb.Bottom && k.role != pcb.RoleOutline {
			continue
		}
		i := slices.IndexFunc(first[k], func(o *Result) bool { return sameDrawing(o.file.Data, r.file.Data) })
		if i < 0 {
			first[k] = append(first[k], r)
			continue
		}
		r.CopyOf, r.Format = first[k][i].Name, FormatCopy
		r.Why = "the same drawing as " + strconv.Quote(first[k][i].base)
	}
}

// ofOneFile are the roles that one file of a board has for each side.
var ofOneFile = map[pcb.Role]bool{
	pcb.RoleCopper: true, pcb.RoleMask: true, pcb.RolePaste: true, pcb.RoleSilk: true, pcb.RoleOutline: true,
}

// sameDrawing reports whether two Gerber files are the same but for comments, among
// them when they were plotted and how the program calls their layer.
func sameDrawing(a, b []byte) bool {
	next := func(data *[]byte) []byte {
		for len(*data) > 0 {
			line, rest, _ := bytes.Cut(*data, []byte("\n"))
			*data = rest
			line = bytes.TrimSpace(line)
			if len(line) > 0 && !bytes.HasPrefix(line, []byte("G04")) && !bytes.HasPrefix(line, []byte("%TF.CreationDate,")) {
				return line
			}
		}
		return nil
	}
	for {
		x, y := next(&a), next(&b)
		if !bytes.Equal(x, y) {
			return false
		}
		if x == nil {
			return true
		}
	}
}

// layerOfStack is how EAGLE and Fusion call copper of boards with more than two layers:
// copper_top_l1, copper_inner_l2. Of two layers they say copper_top, copper_bottom.
var layerOfStack = pattern.Lazy(`(?i)^(.*?)(top|inner|bottom)_l(\d{1,2})$`)

var sideOfTwo = pattern.Lazy(`(?i)^(.*?)(top|bottom)$`)

// A plot is the copper that one run of a tool's jobs left in a folder.
type plot struct {
	two      []*Result       // by side
	numbered map[int]*Result // by place in the stack
	twice    bool
}

// separatePlots tells two plots of one board in a folder apart, before and after its
// number of layers changed: a job file lies beside them that counts the layers of one.
func (s *Set) separatePlots() {
	type place struct{ dir, stem string }
	plots := map[place]*plot{}
	at := func(dir, stem string) *plot {
		k := place{dir, strings.ToLower(stem)}
		if plots[k] == nil {
			plots[k] = &plot{numbered: map[int]*Result{}}
		}
		return plots[k]
	}
	for _, r := range s.Results {
		if r.Format != FormatGerber || r.Role != pcb.RoleCopper {
			continue
		}
		if m := layerOfStack().FindStringSubmatch(r.stem); m != nil {
			n, _ := strconv.Atoi(m[3])
			p := at(r.dir, m[1])
			p.twice = p.twice || p.numbered[n] != nil
			p.numbered[n] = r
		} else if m := sideOfTwo().FindStringSubmatch(r.stem); m != nil {
			p := at(r.dir, m[1])
			p.two = append(p.two, r)
		}
	}
	for k, p := range plots {
		if n := len(p.numbered); len(p.two) == 2 && n > 2 && !p.twice && p.whole() {
			switch s.jobLayers(k.dir) {
			case n:
				for _, r := range p.two {
					place := 1
					if r.Side == pcb.Bottom {
						place = n
					}
					r.outdoneBy(p.numbered[place])
				}
			case 2:
				for _, r := range p.numbered {
					r.outdoneBy(p.two[0])
				}
			}
		}
	}
}

// whole reports whether no place in the stack is left out.
func (p *plot) whole() bool {
	for n := range len(p.numbered) {
		if p.numbered[n+1] == nil {
			return false
		}
	}
	return true
}

// jobLayers is how many copper layers the only job file in a folder states; 0 for none.
func (s *Set) jobLayers(dir string) int {
	layers, jobs := 0, 0
	for i, j := range s.Jobs {
		if s.Results[i].dir == dir {
			layers = j.Layers
			jobs++
		}
	}
	if jobs != 1 {
		return 0
	}
	return layers
}

func (r *Result) outdoneBy(o *Result) {
	r.Outdone, r.Format, r.Role, r.Side, r.Order = o.Name, FormatCopy, pcb.RoleOther, pcb.NoSide, 0
	r.Why = "left aside: of another plot than the job file counts layers of, as " + strconv.Quote(o.base) + " is"
}
