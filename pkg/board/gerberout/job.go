package gerberout

import (
	"encoding/json"
	"math"
	"time"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// jobFile is a Gerber job file. What the board does not state is left out.
type jobFile struct {
	Header          jobHeader
	GeneralSpecs    jobSpecs
	FilesAttributes []jobEntry
	MaterialStackup []jobLayer `json:",omitempty"`
}

type jobHeader struct {
	GenerationSoftware *jobSoftware `json:",omitempty"`
	CreationDate       string       `json:",omitempty"`
	Part               string
}

type jobSoftware struct{ Vendor, Application, Version string }

type jobSpecs struct {
	ProjectID           jobProject `json:"ProjectId"`
	Size                *jobSize   `json:",omitempty"`
	LayerNumber         int
	BoardThickness      float64 `json:",omitempty"`
	Finish              string  `json:",omitempty"`
	Castellated         bool    `json:",omitempty"`
	EdgePlating         bool    `json:",omitempty"`
	ImpedanceControlled bool    `json:",omitempty"`
}

type jobProject struct {
	Name     string
	GUID     string
	Revision string
}

type jobSize struct{ X, Y float64 }

type jobEntry struct{ Path, FileFunction, FilePolarity string }

type jobLayer struct {
	Type               string
	Name               string  `json:",omitempty"`
	Material           string  `json:",omitempty"`
	Color              string  `json:",omitempty"`
	Thickness          float64 `json:",omitempty"`
	DielectricConstant float64 `json:",omitempty"`
	LossTangent        float64 `json:",omitempty"`
}

// job writes the job file, which lists all the others.
func (p *plotter) job() {
	f, b := p.board.Facts, p.board
	j := jobFile{FilesAttributes: p.listed, MaterialStackup: jobStackup(b.Stackup)}
	if p.opt.Vendor != "" {
		j.Header.GenerationSoftware = &jobSoftware{p.opt.Vendor, p.opt.Application, p.opt.Version}
	}
	if !p.opt.Created.IsZero() {
		j.Header.CreationDate = p.opt.Created.Format(time.RFC3339)
	}
	j.Header.Part = p.part()
	g := &j.GeneralSpecs
	g.ProjectID.Name, g.ProjectID.GUID, g.ProjectID.Revision = projectID(b)
	g.LayerNumber = p.layers
	if box := b.Outline.Bounds(); !box.Empty() {
		g.Size = &jobSize{lengthMM(box.Width()), lengthMM(box.Height())}
	}
	if f.Thickness.IsStated() {
		g.BoardThickness = lengthMM(f.Thickness.Value)
	}
	if f.Finish.IsStated() {
		g.Finish = f.Finish.Value
	}
	g.Castellated = f.Castellations.IsStated() && f.Castellations.Value
	g.EdgePlating = f.EdgePlating.IsStated() && f.EdgePlating.Value
	g.ImpedanceControlled = f.Impedance.IsStated() && f.Impedance.Value
	data, _ := json.MarshalIndent(j, "", "  ") // numbers, strings and flags always encode
	p.files = append(p.files, File{Name: p.name + "-job.gbrjob", Data: append(data, '\n')})
}

var stackTypes = map[pcb.StackupKind]string{
	pcb.StackCopper: "Copper", pcb.StackCore: "Dielectric", pcb.StackPrepreg: "Dielectric",
	pcb.StackDielectric: "Dielectric", pcb.StackMask: "SolderMask", pcb.StackPaste: "SolderPaste",
	pcb.StackSilk: "Legend",
}

func jobStackup(layers []pcb.StackupLayer) []jobLayer {
	var out []jobLayer
	for _, l := range layers {
		kind := stackTypes[l.Kind]
		if kind == "" {
			continue
		}
		o := jobLayer{Type: kind, Name: l.Name, Material: l.Material, Color: l.Colour,
			DielectricConstant: finite(l.EpsilonR), LossTangent: finite(l.LossTan)}
		if l.Thickness.IsStated() {
			o.Thickness = lengthMM(l.Thickness.Value)
		}
		out = append(out, o)
	}
	return out
}

func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// lengthMM is a length in millimetres with no more digits than it has nanometres.
func lengthMM(nm int64) float64 { return math.Round(float64(nm)) / float64(geom.Millimetre) }
