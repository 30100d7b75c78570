package easyeda

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/board/pcb"
)

// docStart begins documents of EasyEDA Pro.
var docStart = []byte(`["DOCTYPE"`)

// IsPro tells a project of EasyEDA Pro, or a board of one that was unpacked.
func IsPro(name string, data []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".epro", ".epro2":
		return bytes.HasPrefix(data, []byte("PK"))
	case ".epcb":
		return startsDocument(data)
	}
	return false
}

// IsProCompanion tells what lies beside a board of EasyEDA Pro in a project that was
// unpacked: its footprints, what its pours were filled with, and its parts.
func IsProCompanion(name string, data []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".efoo", ".ecop", ".esym", ".esch", ".efon", ".epan", ".eins", ".eblob":
		return startsDocument(data)
	case ".json":
		return path.Base(name) == "project.json" && bytes.Contains(data, []byte(`"devices"`)) && bytes.Contains(data, []byte(`"pcbs"`))
	}
	return false
}

func startsDocument(data []byte) bool {
	data = bytes.TrimSpace(trimMark(data[:min(len(data), 256)]))
	return bytes.HasPrefix(bytes.ReplaceAll(data, []byte(" "), nil), docStart)
}

// ProRoot is the folder of the project that a document of EasyEDA Pro lies in.
func ProRoot(name string) string { return path.Dir(path.Dir(name)) }

// ReadPro makes boards of projects of EasyEDA Pro. Findings are about files that gave none.
func ReadPro(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
	var boards []*pcb.Board
	var findings []pcb.Finding
	loose := map[string]*project{}
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		if ext := strings.ToLower(path.Ext(f.Name)); ext == ".epro" || ext == ".epro2" {
			p := newProject(f.Name)
			if err := p.unpack(ctx, f.Data); err != nil {
				findings = append(findings, p.refusal(reasonOf(err)))
				continue
			}
			b, g := p.boards(ctx)
			boards, findings = append(boards, b...), append(findings, g...)
			continue
		}
		root := ProRoot(f.Name)
		if path.Base(f.Name) == "project.json" {
			root = path.Dir(f.Name)
		}
		if loose[root] == nil {
			loose[root] = newProject("")
		}
		loose[root].add(f.Name, f.Data)
	}
	for _, root := range slices.Sorted(maps.Keys(loose)) {
		if ctx.Err() != nil || len(loose[root].pcbs) == 0 {
			continue
		}
		b, g := loose[root].boards(ctx)
		boards, findings = append(boards, b...), append(findings, g...)
	}
	return boards, findings
}

// A project is what EasyEDA Pro keeps together.
type project struct {
	file       string // of the archive; "" where it was unpacked
	pcbs       []boardDocument
	footprints map[string]*lines
	poured     map[string][]row // by board and pour
	data       projectData
	pages      int // of schematics
	damaged    []string
}

// A boardDocument is a board of a project.
type boardDocument struct {
	lines
	file string
}

// projectData is what project.json says.
type projectData struct {
	PCBs   map[string]json.RawMessage `json:"pcbs"`
	Boards map[string]struct {
		PCB string `json:"pcb"`
	} `json:"boards"`
	Devices map[string]device        `json:"devices"`
	Prints  map[string]footprintName `json:"footprints"`
}

// A footprintName is what a footprint is called in the project's library.
type footprintName struct {
	Title string `json:"title"`
}

// A device is a part of the project's library.
type device struct {
	Title      string         `json:"title"`
	Attributes map[string]any `json:"attributes"`
}

func newProject(file string) *project {
	return &project{file: file, footprints: map[string]*lines{}, poured: map[string][]row{}, data: projectData{Devices: map[string]device{}, Prints: map[string]footprintName{}}}
}

// unpack reads the members of an archive that boards are made of.
func (p *project) unpack(ctx context.Context, data []byte) error {
	limits := archive.DefaultLimits()
	limits.Depth = 1
	_, err := archive.Unpack(ctx, "project.zip", bytes.NewReader(data), int64(len(data)), limits, func(m archive.Member, r io.Reader) error {
		switch strings.ToLower(path.Ext(m.Name)) {
		case ".epcb", ".efoo", ".ecop", ".epru", ".json":
			data, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			p.add(m.Name, data)
		case ".esch":
			p.pages++
		}
		return nil
	})
	return err
}

// add takes a member.
func (p *project) add(name string, data []byte) {
	base := strings.TrimSuffix(path.Base(name), path.Ext(name))
	switch strings.ToLower(path.Ext(name)) {
	case ".json":
		if path.Base(name) == "project.json" && json.Unmarshal(trimMark(data), &p.data) != nil {
			p.damaged = append(p.damaged, name)
		}
		return
	case ".epcb", ".efoo", ".ecop", ".epru":
	default:
		return
	}
	read := readLines
	log := strings.EqualFold(path.Ext(name), ".epru")
	if log {
		read = readLog
	}
	docs, damaged := read(data)
	if damaged > 0 {
		p.damaged = append(p.damaged, fmt.Sprintf("%s, line %d", name, damaged))
	}
	for i := range docs {
		d := &docs[i]
		switch {
		case log && d.kind == "DEVICE":
			attributes, _ := d.meta["attributes"].(map[string]any)
			p.data.Devices[d.id] = device{textOf(d.meta["title"]), attributes}
		case d.kind == "SCH_PAGE":
			p.pages++
		case d.kind == "PCB":
			if !log {
				d.id = base
			}
			file := p.file
			if file == "" {
				file = name
			}
			p.pcbs = append(p.pcbs, boardDocument{*d, file})
		case d.kind == "FOOTPRINT" && strings.EqualFold(path.Ext(name), ".efoo"):
			p.footprints[base] = d
		case d.kind == "FOOTPRINT":
			p.footprints[d.id] = d
			if t := textOf(d.meta["title"]); t != "" {
				p.data.Prints[d.id] = footprintName{t}
			}
		case d.kind == "POURED":
			key, err := base64.StdEncoding.DecodeString(base)
			if err != nil {
				key = []byte(base)
			}
			p.poured[string(key)] = append(p.poured[string(key)], d.rows...)
		}
	}
}

// reasonOf says why an archive could not be unpacked.
func reasonOf(err error) string {
	switch e, ok := errors.AsType[*archive.Error](err); {
	case !ok:
		return err.Error()
	case e.Code == archive.Encrypted:
		return "it is protected by a password"
	case e.Member != "":
		return fmt.Sprintf("its member %q %s", e.Member, e.Reason)
	default:
		return "the archive " + e.Reason
	}
}

func (p *project) refusal(why string) pcb.Finding {
	return pcb.Finding{Code: "format_unread", Level: pcb.Problem, File: p.file,
		Message: "the EasyEDA Pro project could not be read: " + why + "; send the Gerbers and drill files that EasyEDA makes in Export > PCB Fabrication File (Gerber)"}
}

// boards makes those of the project: of its documents that draw a board, those that it
// calls so.
func (p *project) boards(ctx context.Context) ([]*pcb.Board, []pcb.Finding) {
	var drawn []boardDocument
	for _, d := range p.pcbs {
		if d.draws() {
			drawn = append(drawn, d)
		}
	}
	listed := slices.DeleteFunc(slices.Clone(drawn), func(d boardDocument) bool { return !p.lists(d.id) })
	var aside []string
	if n := len(listed); n > 0 && n < len(drawn) {
		for _, d := range drawn {
			if !p.lists(d.id) {
				aside = append(aside, p.title(d.id))
			}
		}
		drawn = listed
	}
	var out []*pcb.Board
	for _, d := range drawn {
		if ctx.Err() != nil {
			break
		}
		out = append(out, p.build(pcb.FileContext(ctx, d.file), d))
	}
	switch {
	case len(out) == 0 && p.pages > 0:
		return nil, []pcb.Finding{p.refusal("it holds a schematic and no board")}
	case len(out) == 0 && p.file != "":
		return nil, []pcb.Finding{p.refusal("it holds no board")}
	}
	if len(aside) > 0 {
		out[0].Findings = append(out[0].Findings, pcb.Finding{Code: "boards_aside", Level: pcb.Warning, File: drawn[0].file,
			Message: fmt.Sprintf("the project holds other boards as well, which it does not list as such: %q; say if one of them is to be built", aside)})
	}
	return out, nil
}

func (p *project) lists(id string) bool {
	for _, b := range p.data.Boards {
		if b.PCB == id {
			return true
		}
	}
	return false
}

func (p *project) title(id string) string {
	var t string
	if json.Unmarshal(p.data.PCBs[id], &t) == nil && t != "" {
		return t
	}
	for _, d := range p.pcbs {
		if t := textOf(d.meta["title"]); d.id == id && t != "" {
			return t
		}
	}
	return id
}

// draws reports whether anything of a board is in a document.
func (d *boardDocument) draws() bool {
	return slices.ContainsFunc(d.rows, func(r row) bool {
		switch r.kind() {
		case "VIA", "PAD", "LINE", "ARC", "COMPONENT", "POUR", "FILL", "POLY":
			return true
		}
		return false
	})
}
