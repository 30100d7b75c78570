package gbrjob

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// Read reads a job file of any dialect. It never fails: what is wrong is in
// the job's findings.
func Read(data []byte) *Job {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if t := bytes.TrimSpace(data); len(t) > 0 && t[0] != '{' {
		return readAttributes(data)
	}
	return readJSON(data)
}

// maxEntries bounds each list of a job: no board has as many files or layers.
const maxEntries = 500

// jobFile is the union of both JSON dialects.
type jobFile struct {
	Header struct {
		GenerationSoftware software
		CreationDate       string
		Part               string
	}
	GeneralSpecs general
	Overall      general
	DesignRules  []struct {
		Layers                                                                          string
		PadToPad, PadToTrack, TrackToTrack, MinLineWidth, TrackToRegion, RegionToRegion length
	}
	FilesAttributes []struct{ Path, FileFunction, FilePolarity string }
	MaterialStackup []struct {
		Type, Name, Material, Color, Notes string
		Thickness                          length
		DielectricConstant, LossTangent    number
	}
}

type software struct{ Vendor, Application, Version string }

type general struct {
	ProjectID             projectID `json:"ProjectId"`
	Name                  projectID
	Size                  struct{ X, Y length }
	LayerNumber           number
	BoardThickness        length
	Finish                string
	Castellated           flag
	EdgePlating           flag
	EdgeConnector         any
	EdgeConnectorBevelled flag
	ImpedanceControlled   flag
	RoHS, ROHS            flag
	MaterialType          string
	ViaProtection         string
	IPC2221Type           number `json:"IPC-2221-Type"`
}

// projectID is an object, or a plain name.
type projectID struct {
	Name, Revision string
	ProjectID      string `json:"ProjectId"`
}

func (p *projectID) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &p.Name)
	}
	type plain projectID
	return json.Unmarshal(data, (*plain)(p))
}

// length is a number of millimetres; what is below 0 is unstated.
type length int64

func (l *length) UnmarshalJSON(data []byte) error {
	var n number
	if err := n.UnmarshalJSON(data); err != nil {
		return err
	}
	*l = length(geom.MM(max(0, float64(n))))
	return nil
}

// number accepts numbers in quotes too, and takes anything else as unstated.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	var v float64
	if json.Unmarshal(bytes.Trim(data, `"`), &v) == nil && !math.IsNaN(v) && math.Abs(v) < 1e6 {
		*n = number(v)
	}
	return nil
}

// flag accepts true, "true" and "yes".
type flag bool

func (f *flag) UnmarshalJSON(data []byte) error {
	s := strings.ToLower(strings.Trim(string(data), `"`))
	*f = s == "true" || s == "yes" || s == "1"
	return nil
}

func readJSON(data []byte) *Job {
	var f jobFile
	j := &Job{Dialect: "gerber job"}
	if err := json.Unmarshal(data, &f); err != nil {
		j.Findings = append(j.Findings, pcb.Finding{
			Code: "job_unreadable", Level: pcb.Problem, Line: lineOf(data, err),
			Message: fmt.Sprintf("the job file is not valid JSON: %v", err),
		})
	}
	j.Vendor, j.Application, j.Version = f.Header.GenerationSoftware.Vendor, f.Header.GenerationSoftware.Application, f.Header.GenerationSoftware.Version
	j.Created = f.Header.CreationDate
	j.Panel = strings.EqualFold(f.Header.Part, "Array") || strings.EqualFold(f.Header.Part, "FabricationPanel")
	g := f.GeneralSpecs
	if f.Overall.LayerNumber != 0 || f.Overall.Size.X != 0 || f.Overall.BoardThickness != 0 {
		g, j.Dialect = f.Overall, "autodesk"
	}
	j.general(g)
	j.SizeWithStroke = strings.EqualFold(j.Vendor, "KiCad")
	for _, r := range f.DesignRules[:min(len(f.DesignRules), maxEntries)] {
		j.Rules = append(j.Rules, Rule{
			r.Layers, int64(r.PadToPad), int64(r.PadToTrack), int64(r.TrackToTrack), int64(r.MinLineWidth),
			int64(r.TrackToRegion), int64(r.RegionToRegion),
		})
	}
	for _, a := range f.FilesAttributes[:min(len(f.FilesAttributes), maxEntries)] {
		j.Files = append(j.Files, File{a.Path, a.FileFunction, a.FilePolarity})
	}
	if strings.EqualFold(j.Vendor, "KiCad") {
		renumberInner(j.Files)
	}
	for _, l := range f.MaterialStackup[:min(len(f.MaterialStackup), maxEntries)] {
		j.Stackup = append(j.Stackup, Layer{
			l.Type, l.Name, l.Material, l.Color, l.Notes, int64(l.Thickness), float64(l.DielectricConstant), float64(l.LossTangent),
		})
	}
	return j
}

func (j *Job) general(g general) {
	j.Name, j.Revision = g.ProjectID.Name, g.ProjectID.Revision
	if j.Name == "" {
		j.Name = g.Name.Name + g.Name.ProjectID
	}
	j.setLayers(int(g.LayerNumber))
	j.Width, j.Height = int64(g.Size.X), int64(g.Size.Y)
	j.Thickness, j.Finish = int64(g.BoardThickness), g.Finish
	j.Castellated, j.EdgePlating, j.Impedance = bool(g.Castellated), bool(g.EdgePlating), bool(g.ImpedanceControlled)
	j.ROHS = bool(g.RoHS || g.ROHS)
	material := strings.ToLower(g.MaterialType)
	j.RigidFlex = strings.Contains(material, "flex") && strings.Contains(material, "rigid")
	j.Flex = strings.Contains(material, "flex") && !j.RigidFlex
	j.ViaProtection, j.Bevelled = g.ViaProtection, bool(g.EdgeConnectorBevelled)
	j.BlindVias = g.IPC2221Type == 4 || g.IPC2221Type == 6
	switch v := g.EdgeConnector.(type) {
	case string:
		j.EdgeConnector = v
	case bool:
		if v {
			j.EdgeConnector = "yes"
		}
	}
	j.Bevelled = j.Bevelled || strings.Contains(strings.ToLower(j.EdgeConnector), "bevel")
	if j.Bevelled && j.EdgeConnector == "" {
		j.EdgeConnector = "bevelled"
	}
}

// setLayers takes a number of copper layers that a board can have.
func (j *Job) setLayers(n int) {
	if n > 0 && n <= 128 {
		j.Layers = n
	}
}

// lineOf is the line of a JSON error, 0 when it has no place.
func lineOf(data []byte, err error) int {
	offset := int64(-1)
	switch e := err.(type) {
	case *json.SyntaxError:
		offset = e.Offset
	case *json.UnmarshalTypeError:
		offset = e.Offset
	}
	if offset < 0 || offset > int64(len(data)) {
		return 0
	}
	return 1 + bytes.Count(data[:offset], []byte("\n"))
}

// renumberInner gives inner copper its place from the top where KiCad 9 wrote its own number
// of the layer instead, which is odd and begins with 5: L5, L7 and L9 are L2, L3 and L4.
func renumberInner(files []File) {
	places := map[int]int{} // by KiCad's number
	var numbers []int
	for _, f := range files {
		if n, ok := innerNumber(f.Function); ok {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != 5+2*i {
			return
		}
		places[n] = 2 + i
	}
	if len(places) < 2 { // a list of one may be part of a list
		return
	}
	for i, f := range files {
		if n, ok := innerNumber(f.Function); ok {
			_, rest, _ := strings.Cut(f.Function[len(copperFunction):], ",")
			files[i].Function = fmt.Sprintf("%s%d,%s", copperFunction, places[n], rest)
		}
	}
}

// copperFunction is how the function of a copper file begins, before its number.
const copperFunction = "Copper,L"

// innerNumber is the number of a layer that a file function states of inner copper.
func innerNumber(function string) (n int, ok bool) {
	number, rest, _ := strings.Cut(strings.TrimPrefix(function, copperFunction), ",")
	n, err := strconv.Atoi(number)
	return n, err == nil && strings.HasPrefix(function, copperFunction) && strings.HasPrefix(rest, "Inr")
}
