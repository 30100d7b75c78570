package easyeda

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// File is one file of an upload.
type File struct {
	Name string // path within the upload
	Data []byte
}

// boardKind is how documents of EasyEDA Standard say that they are boards, also where one
// is kept as text within a project.
var boardKind = pattern.Lazy(`"docType\\*"\s*:\s*(?:\\*")?3\b|"head\\*"\s*:\s*\\*"3~`)

// Is tells a board of EasyEDA Standard, or a project that holds one. The layers stand behind
// all that is drawn: of a board that was cut off only the beginning tells.
func Is(name string, data []byte) bool {
	if !strings.EqualFold(path.Ext(name), ".json") || !bytes.HasPrefix(bytes.TrimSpace(trimMark(data)), []byte("{")) {
		return false
	}
	head := data[:min(len(data), 4096)]
	return bytes.Contains(data, []byte("1~TopLayer~")) && boardKind().Match(data) || bytes.Contains(head, []byte(`"CA~`)) && boardKind().Match(head)
}

// trimMark takes the mark of UTF-8 off.
func trimMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")) }

// Read makes a board of every document of EasyEDA Standard that is one. Findings are about
// files that gave none.
func Read(ctx context.Context, files []File) ([]*pcb.Board, []pcb.Finding) {
	var boards []*pcb.Board
	var findings []pcb.Finding
	for _, f := range files {
		if ctx.Err() != nil {
			break
		}
		var d document
		if err := json.Unmarshal(trimMark(f.Data), &d); err != nil {
			findings = append(findings, pcb.Finding{Code: "format_unread", Level: pcb.Problem, File: f.Name,
				Message: fmt.Sprintf("the EasyEDA file is damaged, or cut off (%s): export it again, or send the Gerbers and drill files that EasyEDA makes", err)})
			continue
		}
		found := d.boards(nil, 0)
		if len(found) == 0 {
			findings = append(findings, pcb.Finding{Code: "format_unread", Level: pcb.Problem, File: f.Name, Message: "the EasyEDA file holds no board"})
		}
		for _, d := range found {
			boards = append(boards, d.build(pcb.FileContext(ctx, f.Name), f.Name))
		}
	}
	return boards, findings
}

// A document is a board of EasyEDA Standard, or what holds some: a project, or a file of
// the server with the document as data or as text.
type document struct {
	Head       json.RawMessage `json:"head"`
	Title      string          `json:"title"`
	Canvas     text            `json:"canvas"`
	Shapes     []text          `json:"shape"`
	Layers     []text          `json:"layers"`
	Rules      json.RawMessage `json:"DRCRULE"`
	Data       json.RawMessage `json:"dataStr"`
	Result     *document       `json:"result"`
	Schematics []document      `json:"schematics"`
	Boards     []document      `json:"boards"`
	PCBs       []document      `json:"pcbs"`
	PCB        []document      `json:"pcb"`
	Documents  []document      `json:"documents"`
}

// A text is a string; anything else in its place is kept as it is written, which no
// element is.
type text string

// UnmarshalJSON takes whatever stands there.
func (t *text) UnmarshalJSON(data []byte) error {
	if json.Unmarshal(data, (*string)(t)) != nil {
		*t = text(data)
	}
	return nil
}

// deepest is how far documents lie in each other.
const deepest = 4

// boards gathers the documents that are boards.
func (d *document) boards(found []*document, depth int) []*document {
	if depth > deepest {
		return found
	}
	if d.kind() == "3" && len(d.Layers) > 0 {
		return append(found, d)
	}
	if len(d.Data) > 0 {
		data := d.Data
		var s string
		if json.Unmarshal(data, &s) == nil {
			data = []byte(s)
		}
		var inner document
		if json.Unmarshal(data, &inner) == nil {
			inner.Title = d.Title
			found = inner.boards(found, depth+1)
		}
	}
	if d.Result != nil {
		found = d.Result.boards(found, depth+1)
	}
	for _, list := range [][]document{d.Schematics, d.Boards, d.PCBs, d.PCB, d.Documents} {
		for i := range list {
			found = list[i].boards(found, depth+1)
		}
	}
	return found
}

// head is what a document says of itself.
type head struct {
	Kind    json.RawMessage `json:"docType"`
	Version string          `json:"editorVersion"`
}

// kind is the number of a document's kind: 3 for a board.
func (d *document) kind() string {
	var old string
	if json.Unmarshal(d.Head, &old) == nil {
		kind, _, _ := strings.Cut(old, "~")
		return kind
	}
	var h head
	if json.Unmarshal(d.Head, &h) != nil {
		return ""
	}
	return strings.Trim(string(h.Kind), `"`)
}

// version is that of the program that wrote the document.
func (d *document) version() string {
	var old string
	if json.Unmarshal(d.Head, &old) == nil {
		_, rest, _ := strings.Cut(old, "~")
		v, _, _ := strings.Cut(rest, "~")
		return v
	}
	var h head
	_ = json.Unmarshal(d.Head, &h) // kind was read of it
	return h.Version
}

// fixedLayers are those whose number always means the same. What is drawn on the layers
// of bodies, leads and models is not made.
var fixedLayers = map[int]layer{
	1: {name: "TopLayer", role: pcb.RoleCopper, side: pcb.Top}, 2: {name: "BottomLayer", role: pcb.RoleCopper, side: pcb.Bottom},
	3: {name: "TopSilkLayer", role: pcb.RoleSilk, side: pcb.Top}, 4: {name: "BottomSilkLayer", role: pcb.RoleSilk, side: pcb.Bottom},
	5: {name: "TopPasteMaskLayer", role: pcb.RolePaste, side: pcb.Top}, 6: {name: "BottomPasteMaskLayer", role: pcb.RolePaste, side: pcb.Bottom},
	7: {name: "TopSolderMaskLayer", role: pcb.RoleMask, side: pcb.Top}, 8: {name: "BottomSolderMaskLayer", role: pcb.RoleMask, side: pcb.Bottom},
	9: {ignored: true}, 10: {name: "BoardOutLine", role: pcb.RoleOutline}, 12: {name: "Document", role: pcb.RoleFabDrawing},
	13: {name: "TopAssembly", role: pcb.RoleAssembly, side: pcb.Top}, 14: {name: "BottomAssembly", role: pcb.RoleAssembly, side: pcb.Bottom},
	15: {name: "Mechanical", role: pcb.RoleMechanical}, 19: {ignored: true}, 99: {ignored: true}, 100: {ignored: true}, 101: {ignored: true},
}

// Numbers of layers that elements are told by.
const (
	multiLayer            = 11
	firstInner, lastInner = 21, 52
)

// table gives the layers of a document, and the names of those that are planes.
func (d *document) table() (layers map[int]layer, planes []string) {
	layers = map[int]layer{}
	for n, l := range fixedLayers {
		layers[n] = l
	}
	inner := 0
	for _, s := range d.Layers {
		f := strings.Split(string(s), "~")
		n, err := strconv.Atoi(f[0])
		if err != nil || n < firstInner || n > lastInner || len(f) < 6 || f[5] != "true" {
			continue
		}
		inner++
		layers[n] = layer{name: f[1], role: pcb.RoleCopper, side: pcb.Inner, order: inner + 1}
		if len(f) > 7 && strings.EqualFold(f[7], "plane") {
			planes = append(planes, f[1])
		}
	}
	for n, order := range map[int]int{1: 1, 2: inner + 2} {
		l := layers[n]
		l.order = order
		layers[n] = l
	}
	return layers, planes
}

func (d *document) build(ctx context.Context, file string) *pcb.Board {
	name := d.Title
	if name == "" {
		name = strings.TrimSuffix(file, path.Ext(file))
	}
	layers, planes := d.table()
	r := shapes{builder: newBuilder(ctx, file, name, layers), frame: d.frame()}
	for _, p := range planes {
		r.finding(pcb.Problem, "plane_unread", "the copper layer %q is a plane, of which the file holds no copper: send the Gerbers and drill files that EasyEDA makes", p)
	}
	for _, s := range d.Shapes {
		if !r.meter.Spend(pcb.Shapes, 1+len(s)/bytesPerShape) {
			break
		}
		r.read(string(s))
	}
	d.state(r.b, r.frame)
	return r.finish(strings.TrimSpace("EasyEDA " + d.version()))
}

// frame has its origin where the document has it.
func (d *document) frame() frame {
	const x, y = 16, 17
	f := strings.Split(string(d.Canvas), "~")
	at := func(i int) float64 {
		if i >= len(f) {
			return 0
		}
		v, err := strconv.ParseFloat(f[i], 64)
		if err != nil || !standard(0, 0).sound(v) {
			return 0
		}
		return v
	}
	return standard(at(x), at(y))
}

// state hands the design rules to the board. They are a class each, beside switches.
func (d *document) state(b *pcb.Board, f frame) {
	var rules map[string]json.RawMessage
	if json.Unmarshal(d.Rules, &rules) != nil {
		return
	}
	for name, data := range rules {
		var c struct {
			Track     float64  `json:"trackWidth"`
			Clearance float64  `json:"clearance"`
			Via       float64  `json:"viaHoleDiameter"`
			Drill     float64  `json:"viaHoleD"`
			Nets      []string `json:"nets"`
		}
		if json.Unmarshal(data, &c) != nil || c.Track <= 0 || !f.sound(c.Track) || !f.sound(c.Clearance) || !f.sound(c.Via) || !f.sound(c.Drill) {
			continue
		}
		class := pcb.NetClass{Name: name, Clearance: f.length(c.Clearance), TrackWidth: f.length(c.Track), ViaDiameter: f.length(c.Via), ViaDrill: f.length(c.Drill), Nets: c.Nets}
		b.Rules.Classes = append(b.Rules.Classes, class)
		if name == "Default" {
			b.Rules.Clearance = class.Clearance
		}
	}
	slices.SortFunc(b.Rules.Classes, func(x, y pcb.NetClass) int { return cmp.Compare(x.Name, y.Name) })
}
