package ipc356

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

const (
	maxPoints   = 2_000_000
	maxFindings = 20
	minColumns  = 42 // where a test record's coordinates begin
)

type reader struct {
	*Netlist
	unit    float64 // nanometres in one count
	aliases map[string]string
	bad     int
	outline []geom.Point // of the 389 record being continued
	inEdge  bool
}

// Read reads a netlist. It never fails: lines that make no sense become
// findings.
func Read(data []byte) *Netlist {
	r := &reader{Netlist: &Netlist{}, unit: 2540, aliases: map[string]string{}}
	line := 0
	for l := range bytes.Lines(data) {
		line++
		r.record(strings.TrimRight(string(l), "\r\n \x1a"), line)
		if r.Ended || len(r.Points) >= maxPoints {
			break
		}
	}
	r.endOutline()
	r.resolve()
	if r.bad > maxFindings {
		r.add(0, "netlist_unreadable", fmt.Sprintf("%d records in all could not be read", r.bad))
	}
	if !r.Ended {
		r.add(line, "netlist_truncated", "the netlist has no end record (999): it may have been cut off")
	}
	return r.Netlist
}

func (r *reader) add(line int, code, text string) {
	r.Findings = append(r.Findings, pcb.Finding{Code: code, Level: pcb.Warning, Line: line, Message: text})
}

func (r *reader) record(s string, line int) {
	if len(s) < 3 {
		return
	}
	code := s[:3]
	if code != "089" {
		r.endOutline()
	}
	switch {
	case s[0] == 'C':
	case s[0] == 'P':
		r.parameter(s)
	case code == "999":
		r.Ended = true
	case code == "389" || code == "089" && r.inEdge:
		r.edge(s)
	case code == "317" || code == "327" || code == "367" || code == "307" || code == "337" || code == "347" || code == "357":
		r.point(s, line)
	}
}

// parameter reads P records: units, titles and the aliases of long names.
func (r *reader) parameter(s string) {
	f := strings.Fields(s)
	if len(f) < 3 {
		return
	}
	value := strings.Join(f[2:], " ")
	switch key := strings.ToUpper(f[1]); {
	case key == "UNITS":
		r.units(f[2:])
	case key == "TITLE":
		r.Title = value
	case key == "REV":
		r.Revision = value
	case key == "VER":
		r.Version = value
	case strings.HasPrefix(key, "NNAME"):
		r.aliases[key] = value
	}
}

// units: CUST 0 and 2 count ten-thousandths of an inch, CUST 1 and SI
// thousandths of a millimetre.
func (r *reader) units(f []string) {
	custom := strings.ToUpper(f[0]) == "CUST"
	if !custom && strings.ToUpper(f[0]) == "SI" || custom && len(f) > 1 && f[1] == "1" {
		r.Metric, r.unit = true, 1000
	}
}

// tail is what follows the pin: hole, access, place, size, rotation, mask.
var tail = pattern.Lazy(`^(M?) *(?:D *(\d{1,5})([PU]?))? *(?:A *(\d\d?))? *X *([-+]? *\d{1,9}) *Y *([-+]? *\d{1,9})(?: *X *(\d{1,6}))?(?: *Y *(\d{1,6}))?(?: *R *(\d{1,3}))?`)

func (r *reader) point(s string, line int) {
	var m []string
	if len(s) >= minColumns {
		m = tail().FindStringSubmatch(s[31:])
		if m == nil { // a name longer than its columns shifts the rest
			if i := strings.LastIndex(s[:min(len(s), 60)], "A0"); i > 20 {
				m = tail().FindStringSubmatch(strings.TrimLeft(s[i:], " "))
			}
		}
	}
	if m == nil {
		r.bad++
		if r.bad <= maxFindings {
			r.add(line, "netlist_unreadable", "a test record could not be read: its columns do not line up")
		}
		return
	}
	p := Point{Net: strings.TrimSpace(s[3:17]), Ref: strings.TrimSpace(s[20:26]), Mid: m[1] == "M", Line: line}
	if s[26] == '-' {
		p.Pin = strings.TrimSpace(s[27:31])
	}
	p.Kind = kindOf(s[:3])
	if p.Net == "N/C" {
		p.Net = ""
	}
	if p.Ref == "VIA" {
		p.Ref, p.Pin, p.Via = "", "", true
	}
	r.place(&p, m)
	r.Points = append(r.Points, p)
}

func kindOf(code string) Kind {
	switch code {
	case "317":
		return Through
	case "327":
		return Surface
	case "367":
		return Tooling
	}
	return Other
}

func (r *reader) place(p *Point, m []string) {
	p.Diameter = r.length(m[2])
	switch m[3] {
	case "P":
		p.Plating = pcb.Plated
	case "U":
		p.Plating = pcb.NonPlated
	}
	p.Access, _ = strconv.Atoi(m[4])
	p.At = geom.Pt(r.length(m[5]), r.length(m[6]))
	p.Width, p.Height = r.length(m[7]), r.length(m[8])
	p.Rotation, _ = strconv.Atoi(m[9])
}

func (r *reader) length(s string) int64 {
	v, err := strconv.ParseInt(strings.TrimPrefix(strings.ReplaceAll(s, " ", ""), "+"), 10, 64) // some pad with blanks after the sign
	if err != nil {
		return 0
	}
	nm, _ := geom.Clamp(int64(float64(v) * r.unit))
	return nm
}

var corner = pattern.Lazy(`(?:X *([-+]?\d{1,9}))?(?:Y *([-+]?\d{1,9}))?`)

// edge reads an outline record and its continuations: a chain of corners.
func (r *reader) edge(s string) {
	r.inEdge = true
	s = s[3:]
	if i := strings.IndexByte(s, 'X'); i >= 0 {
		s = s[i:]
	} else {
		return
	}
	for _, f := range strings.Fields(strings.NewReplacer("+ ", "+", "*", " * ").Replace(s)) {
		if f == "*" {
			r.closeChain()
			continue
		}
		m := corner().FindStringSubmatch(f)
		if m == nil || m[1] == "" && m[2] == "" {
			continue
		}
		at := geom.Point{}
		if n := len(r.outline); n > 0 {
			at = r.outline[n-1] // an axis left out stays
		}
		if m[1] != "" {
			at.X = r.length(m[1])
		}
		if m[2] != "" {
			at.Y = r.length(m[2])
		}
		r.outline = append(r.outline, at)
	}
}

func (r *reader) closeChain() {
	if len(r.outline) > 1 && len(r.Outline) < maxPoints {
		p := geom.Path{Points: r.outline}
		if p.Points[0] == p.Points[len(p.Points)-1] {
			p.Closed = true
		}
		r.Outline = append(r.Outline, p)
	}
	r.outline = nil
}

func (r *reader) endOutline() {
	r.closeChain()
	r.inEdge = false
}

// resolve puts long names in place of their aliases and counts the nets.
func (r *reader) resolve() {
	nets := map[string]struct{}{}
	for i := range r.Points {
		p := &r.Points[i]
		if full, ok := r.aliases[strings.ToUpper(p.Net)]; ok {
			p.Net = full
		}
		if p.Net != "" {
			nets[p.Net] = struct{}{}
		}
	}
	r.Nets = len(nets)
}
