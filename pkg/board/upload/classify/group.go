package classify

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
)

// manyBoards is more boards than anybody sends at once.
const manyBoards = 64

// group tells boards apart. A folder that holds copper is the core of a board;
// folders without copper join the nearest core of their archive.
func (s *Set) group() {
	dirs, order := s.artworkFolders()
	var cores, others []string
	for _, d := range order {
		if s.hasCopper(dirs[d]) {
			cores = append(cores, d)
		} else {
			others = append(others, d)
		}
	}
	members := map[string][]int{}
	for _, d := range cores {
		members[d] = dirs[d]
	}
	cores = s.mergeHalves(cores, members)
	var lone []string
	for _, d := range others {
		if c := s.nearestCore(d, cores, dirs[d], members); c != nil {
			members[*c] = append(members[*c], dirs[d]...)
		} else {
			members[d] = dirs[d]
			lone = append(lone, d)
		}
	}
	for _, d := range append(cores, lone...) {
		s.addGroups(d, members[d])
	}
	for g := range s.Groups {
		for _, i := range s.Groups[g].Members {
			s.Results[i].Group = g
		}
	}
}

// artworkFolders lists the folders that hold artwork with its indexes.
func (s *Set) artworkFolders() (map[string][]int, []string) {
	dirs := map[string][]int{}
	var order []string
	for i, r := range s.Results {
		if !r.artwork() {
			continue
		}
		if dirs[r.dir] == nil {
			order = append(order, r.dir)
		}
		dirs[r.dir] = append(dirs[r.dir], i)
	}
	return dirs, order
}

func (s *Set) hasCopper(members []int) bool {
	return slices.ContainsFunc(members, func(i int) bool { return s.Results[i].Role == pcb.RoleCopper })
}

// mergeHalves joins folders of one archive whose copper completes each other:
// one layer per folder, or one folder per side.
func (s *Set) mergeHalves(cores []string, members map[string][]int) []string {
	var out []string
next:
	for _, d := range cores {
		for _, c := range out[:min(len(out), manyBoards)] {
			if archiveOf(c) == archiveOf(d) && !s.clash(members[c], members[d]) {
				members[c] = append(members[c], members[d]...)
				delete(members, d)
				continue next
			}
		}
		out = append(out, d)
	}
	return out
}

// clash tells whether two sets of files claim the same layer.
func (s *Set) clash(a, b []int) bool {
	taken := map[string]bool{}
	for _, i := range a {
		taken[s.Results[i].claim()] = true
	}
	for _, i := range b {
		if c := s.Results[i].claim(); c != "" && taken[c] {
			return true
		}
	}
	return false
}

// claim is the place in a board that a file takes; "" when it may share it.
func (r *Result) claim() string {
	switch r.Role {
	case pcb.RoleCopper:
		return fmt.Sprintf("copper %d %d %g", r.Side, r.Order, r.rank)
	case pcb.RoleMask, pcb.RoleSilk, pcb.RolePaste, pcb.RoleOutline:
		return fmt.Sprintf("%d %d", r.Role, r.Side)
	}
	return ""
}

// archiveOf is the archive that a folder lies in.
func archiveOf(dir string) string { return Archive(dir + "/") }

// nearestCore is the core that a folder without copper belongs to, if any.
func (s *Set) nearestCore(d string, cores []string, files []int, members map[string][]int) *string {
	var best *string
	most, ties := -1, 0
	for i := range cores {
		c := &cores[i]
		if archiveOf(*c) != archiveOf(d) {
			continue
		}
		if n := commonFolders(*c, d); n > most {
			best, most, ties = c, n, 0
		} else if n == most {
			ties++
		}
	}
	if best == nil && len(cores) == 1 && s.hasDrill(files) && !s.hasDrill(members[cores[0]]) && !s.clash(members[cores[0]], files) {
		return &cores[0] // drills sent beside the archive of the artwork
	}
	if best != nil && s.clash(members[*best], files) {
		return nil
	}
	if ties > 0 {
		return nil
	}
	return best
}

func (s *Set) hasDrill(members []int) bool {
	return slices.ContainsFunc(members, func(i int) bool { return s.Results[i].Role == pcb.RoleDrill })
}

func commonFolders(a, b string) int {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return n
}

// addGroups makes one group of a folder, or several when it holds several
// boards under different names.
func (s *Set) addGroups(dir string, members []int) {
	for _, part := range s.splitBoards(members) {
		s.Groups = append(s.Groups, Group{Name: s.groupName(dir, part), Members: part})
	}
}

// splitBoards parts files when more than one of them is the top copper, or the
// bottom: every file goes with the one whose name begins most alike.
func (s *Set) splitBoards(members []int) [][]int {
	tops := s.outer(members, pcb.Top)
	if bottoms := s.outer(members, pcb.Bottom); len(bottoms) > len(tops) {
		tops = bottoms
	}
	if len(tops) < 2 || len(tops) > manyBoards || len(members) < 3*len(tops) {
		return [][]int{members}
	}
	parts := make([][]int, len(tops))
	for _, i := range members {
		best, most := 0, -1
		for k, t := range tops {
			if n := prefixLength(s.Results[i].base, s.Results[t].base); n > most {
				best, most = k, n
			}
		}
		parts[best] = append(parts[best], i)
	}
	for _, p := range parts {
		if len(p) < 3 {
			return [][]int{members}
		}
	}
	return parts
}

// outer lists the copper files of one outer side. Of several that differ by their
// extensions only, such as .gtl and .gl1, one counts: they are of one board.
func (s *Set) outer(members []int, side pcb.Side) []int {
	var out []int
	seen := map[string]bool{}
	for _, i := range members {
		r := s.Results[i]
		if name := trimExt(r.Name); r.Role == pcb.RoleCopper && r.Side == side && !seen[name] {
			seen[name] = true
			out = append(out, i)
		}
	}
	return out
}

func prefixLength(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// groupName is the words that the names share, else the folder or archive.
func (s *Set) groupName(dir string, members []int) string {
	names := make([]string, 0, len(members))
	for _, i := range members {
		names = append(names, s.Results[i].stem)
	}
	if len(names) > 2 {
		prefix := slices.Min(names)
		n := prefixLength(prefix, slices.Max(names))
		if p := strings.Trim(prefix[:n], " -_.+(["); len(p) > 2 && !genericName(p) {
			return p
		}
	}
	archive := archiveOf(dir)
	folder := strings.TrimPrefix(strings.TrimPrefix(dir, archive), "!")
	for _, c := range []string{path.Base(folder), trimExt(path.Base(archive))} {
		if c != "" && c != "." && c != "/" && !genericName(c) {
			return c
		}
	}
	if len(names) > 0 {
		return "board"
	}
	return ""
}

func trimExt(s string) string { return strings.TrimSuffix(s, path.Ext(s)) }

func genericName(s string) bool {
	_, rest := recogniseWords(splitWords(s))
	return len(rest) == 0 || slices.Contains([]string{"gerbers", "gerber", "output", "outputs", "cam", "camoutputs", "gerberfiles", "copper", "zip", "production"}, strings.ToLower(s))
}

// compareRanks sorts inner layers that have no number of their own.
func compareRanks(a, b *Result) int {
	return cmp.Or(cmp.Compare(a.rank, b.rank), compareNatural(a.base, b.base))
}

// compareNatural compares names so that 10 comes after 9, and 03 after 2.
func compareNatural(a, b string) int {
	x, y := splitWords(a), splitWords(b)
	for i := range min(len(x), len(y)) {
		if x[i] == y[i] {
			continue
		}
		if digits(x[i]) && digits(y[i]) {
			m, n := strings.TrimLeft(x[i], "0"), strings.TrimLeft(y[i], "0")
			if c := cmp.Or(cmp.Compare(len(m), len(n)), strings.Compare(m, n)); c != 0 {
				return c
			}
		}
		return strings.Compare(x[i], y[i])
	}
	return cmp.Compare(len(x), len(y))
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }
