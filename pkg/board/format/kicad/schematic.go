package kicad

import (
	"path"
	"strings"

	"boardorder/pkg/board/internal/partfield"
	"boardorder/pkg/board/internal/sexpr"
	"boardorder/pkg/board/pcb"
)

// A sheet is one schematic file: its symbols, and the sheets placed in it.
type sheet struct {
	file     string
	uuid     string
	symbols  []symbol
	children []subsheet
	refs     map[string]string // KiCad 6: references by path, kept in the root
	findings []pcb.Finding
}

type subsheet struct{ uuid, file string }

// A symbol is a part as drawn; its part may have several units, and a sheet used
// twice gives each of its symbols a reference for every use.
type symbol struct {
	uuid, ref string
	refs      map[string]string // KiCad 7 on: reference by the path of the sheet
	part      pcb.Component
	onBoard   bool
}

// Limits of what a hierarchy of sheets may amount to.
const (
	maxSheetUses  = 2000
	maxSheetDepth = 30
)

// readSchematic reads a sheet; nil where the file is none.
func readSchematic(f File) *sheet {
	switch ext(f.Name) {
	case ".kicad_sch":
		return readSheet(f)
	case ".sch":
		return readLegacySheet(f)
	}
	return nil
}

// addSchematic takes what the schematic says about the board's parts, and parts
// that are in the schematic only.
func addSchematic(b *pcb.Board, name string, read []*sheet) {
	sheets := map[string]*sheet{}
	for _, s := range read {
		if s != nil {
			sheets[s.file] = s
			b.Findings = append(b.Findings, s.findings...)
		}
	}
	root := rootSheet(sheets, name)
	if root == nil {
		return
	}
	m := merger{b: b, index: map[string]int{}, seen: map[string]bool{}}
	for i, c := range b.Components {
		if _, ok := m.index[c.Ref]; !ok {
			m.index[c.Ref] = i
		}
	}
	m.walk(sheets, root)
	m.report(root.file)
}

// rootSheet is the sheet named like the board, or the only one that no other
// places.
func rootSheet(sheets map[string]*sheet, name string) *sheet {
	var found *sheet
	placed := map[string]bool{}
	for _, s := range sheets {
		if stem(s.file) == name {
			if found == nil || len(s.file) < len(found.file) || len(s.file) == len(found.file) && s.file < found.file {
				found = s
			}
		}
		for _, c := range s.children {
			placed[path.Join(path.Dir(s.file), c.file)] = true
		}
	}
	if found != nil {
		return found
	}
	for _, s := range sheets {
		if !placed[s.file] {
			if found != nil {
				return nil
			}
			found = s
		}
	}
	return found
}

// readSheet reads a .kicad_sch as far as it goes.
func readSheet(f File) *sheet {
	s := &sheet{file: f.Name, refs: map[string]string{}}
	r := sexpr.NewReader(f.Data)
	if root, ok := r.Open(); !ok || root != "kicad_sch" {
		s.find("unreadable_file", 1, "this is not a KiCad schematic: it does not begin with (kicad_sch")
		return s
	}
	for n, ok := r.Next(); ok; n, ok = r.Next() {
		switch string(n.Name()) {
		case "uuid":
			s.uuid = n.Part(1).Text()
		case "symbol":
			s.symbols = append(s.symbols, readSymbol(n))
		case "sheet":
			s.children = append(s.children, readSubsheet(n))
		case "symbol_instances":
			for p := range n.Lists("path") {
				s.refs[p.Part(1).Text()] = p.Value("reference").Text()
			}
		}
	}
	for _, x := range r.Faults() {
		s.find("file_damaged", x.Line, x.Text+"; what stands before was read")
	}
	return s
}

func (s *sheet) find(code string, line int, message string) {
	s.findings = append(s.findings, pcb.Finding{Code: code, Level: pcb.Warning, File: s.file, Line: line, Message: message})
}

func readSymbol(n sexpr.Node) symbol {
	s := symbol{onBoard: true}
	for c := range n.Args() {
		switch string(c.Name()) {
		case "uuid":
			s.uuid = c.Part(1).Text()
		case "in_bom":
			s.part.NoBOM = c.Part(1).Text() == "no"
		case "on_board":
			s.onBoard = c.Part(1).Text() != "no"
		case "dnp":
			s.part.DNP = s.part.DNP || c.Part(1).Text() == "yes"
		case "in_pos_files":
			s.part.NoPlace = c.Part(1).Text() == "no"
		case "property":
			s.property(c.Part(1).Text(), c.Part(2).Text())
		case "instances":
			s.refs = map[string]string{}
			for project := range c.Lists("project") {
				for p := range project.Lists("path") {
					s.refs[p.Part(1).Text()] = p.Value("reference").Text()
				}
			}
		}
	}
	return s
}

func (s *symbol) property(name, value string) {
	switch name {
	case "Reference":
		s.ref = value
	case "Value":
		s.part.Value = value
	case "Footprint":
		s.part.Footprint = value
	case "ki_keywords", "ki_fp_filters":
	case "ki_description":
		partfield.Set(&s.part, "Description", value)
	default:
		partfield.Set(&s.part, name, value)
	}
}

func readSubsheet(n sexpr.Node) subsheet {
	c := subsheet{uuid: n.Value("uuid").Text()}
	for p := range n.Lists("property") {
		switch p.Part(1).Text() {
		case "Sheetfile", "Sheet file":
			c.file = strings.ReplaceAll(p.Part(2).Text(), "\\", "/")
		}
	}
	return c
}

// A merger joins schematic parts with the board's.
type merger struct {
	b       *pcb.Board
	index   map[string]int
	seen    map[string]bool
	missing []string // on the schematic's list for the board, but not on it
}

// walk goes through every use of every sheet, from the root down.
func (m *merger) walk(sheets map[string]*sheet, root *sheet) {
	type use struct {
		s     *sheet
		path  string // "/root/sheet/…" since KiCad 7, "/sheet/…" before
		old   string
		depth int
	}
	todo := []use{{root, "/" + root.uuid, "", 0}}
	for n := 0; len(todo) > 0 && n < maxSheetUses; n++ {
		u := todo[0]
		todo = todo[1:]
		for i := range u.s.symbols {
			sym := &u.s.symbols[i]
			m.part(referenceOf(sym, root, u.path, u.old), sym)
		}
		for _, c := range u.s.children {
			if s := sheets[path.Join(path.Dir(u.s.file), c.file)]; s != nil && u.depth < maxSheetDepth {
				todo = append(todo, use{s, u.path + "/" + c.uuid, u.old + "/" + c.uuid, u.depth + 1})
			}
		}
	}
}

// referenceOf is a symbol's reference in one use of its sheet; "" where the
// symbol belongs to other projects only, which may share the sheet.
func referenceOf(sym *symbol, root *sheet, path, old string) string {
	if r, ok := sym.refs[path]; ok {
		return r
	}
	if r, ok := root.refs[old+"/"+sym.uuid]; ok {
		return r
	}
	if r, ok := sym.refs[old+"/"+sym.uuid]; ok { // KiCad 5
		return r
	}
	if len(sym.refs) > 0 && root.uuid != "" && len(root.refs) == 0 {
		return ""
	}
	return sym.ref
}

func (m *merger) part(ref string, sym *symbol) {
	if ref == "" || strings.HasPrefix(ref, "#") || strings.HasSuffix(ref, "?") {
		return
	}
	i, ok := m.index[ref]
	if !ok {
		if sym.part.NoBOM {
			return
		}
		i = len(m.b.Components)
		m.index[ref] = i
		m.b.Components = append(m.b.Components, pcb.Component{Ref: ref, NoPlace: true, Fields: map[string]string{}})
		if sym.onBoard {
			m.missing = append(m.missing, ref)
		}
	}
	c, p := &m.b.Components[i], &sym.part
	c.DNP = c.DNP || p.DNP
	c.NoBOM = c.NoBOM || p.NoBOM
	c.NoPlace = c.NoPlace || p.NoPlace
	for _, v := range []struct {
		to   *string
		from string
	}{{&c.Value, p.Value}, {&c.Footprint, p.Footprint}, {&c.MPN, p.MPN}, {&c.Manufacturer, p.Manufacturer}} {
		if *v.to == "" {
			*v.to = v.from
		}
	}
	if p.Description != "" && !m.seen[ref] {
		c.Description = p.Description
	}
	m.seen[ref] = true
	if c.Fields == nil {
		c.Fields = map[string]string{}
	}
	for k, v := range p.Fields {
		if _, ok := c.Fields[k]; !ok {
			c.Fields[k] = v
		}
	}
}

func (m *merger) report(file string) {
	if len(m.missing) == 0 {
		return
	}
	const some = 10
	names := strings.Join(m.missing[:min(some, len(m.missing))], ", ")
	m.b.Findings = append(m.b.Findings, pcb.Finding{
		Code: "part_not_on_board", Level: pcb.Note, File: file, Count: len(m.missing),
		Message: "the schematic has parts that the board does not: " + names,
	})
}
