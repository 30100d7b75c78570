package gbrjob

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// readAttributes reads the dialect in Gerber syntax: %TF...*% and %TJ...*%.
func readAttributes(data []byte) *Job {
	j := &Job{Dialect: "gerber syntax"}
	unit := float64(geom.Millimetre)
	found := false
	for line := range strings.Lines(string(data)) {
		text := strings.Trim(strings.TrimSpace(line), "%*")
		name, value, _ := strings.Cut(text, ",")
		switch {
		case name == "MOIN":
			unit = float64(geom.Inch)
		case strings.HasPrefix(name, "TJ."):
			j.attribute(strings.TrimPrefix(name, "TJ."), value, unit)
			found = true
		case name == "TF.GenerationSoftware":
			j.software(value)
		case name == "TF.CreationDate":
			j.Created = value
		case name == "TF.Part":
			j.Panel = strings.HasPrefix(value, "Array") || strings.HasPrefix(value, "FabricationPanel")
		}
	}
	if !found {
		j.Findings = append(j.Findings, pcb.Finding{
			Code: "job_unreadable", Level: pcb.Problem,
			Message: "the job file is neither JSON nor Gerber job attributes",
		})
	}
	return j
}

func (j *Job) software(value string) {
	f := append(strings.Split(value, ","), "", "", "")
	j.Vendor, j.Application, j.Version = f[0], f[1], f[2]
}

// attribute reads one TJ attribute. The names begin with B_ (board), D_
// (design rules), L_ (layer) and so on.
func (j *Job) attribute(name, value string, unit float64) {
	length := func(s string) int64 {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || v < 0 || v > 1e5 {
			return 0
		}
		return geom.MM(v * unit / float64(geom.Millimetre))
	}
	switch name {
	case "B_LayerNum":
		n, _ := strconv.Atoi(value)
		j.setLayers(n)
	case "B_Thickness", "B_Overall_Thickness":
		j.Thickness = length(value)
	case "B_Size_X":
		j.Width = length(value)
	case "B_Size_Y":
		j.Height = length(value)
	case "B_Size":
		x, y, _ := strings.Cut(value, ",")
		j.Width, j.Height = length(x), length(y)
	case "B_ID", "B_Name":
		j.Name = value
	case "B_Revision":
		j.Revision = value
	case "B_Finish":
		j.Finish = value
	}
}
