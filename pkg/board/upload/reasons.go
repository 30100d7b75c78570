package upload

import (
	"boardorder/pkg/board/upload/classify"
)

// reasons says of formats why no board is read from their files.
var reasons = map[string]string{
	classify.FormatBOM:        "a bill of materials: it belongs to the assembly",
	classify.FormatPlacement:  "a placement file: it belongs to the assembly",
	classify.FormatTable:      "a table that is neither a bill of materials nor a placement file",
	classify.FormatPDF:        "a document for people; nothing is built from it",
	classify.FormatImage:      "a picture for people; nothing is built from it",
	classify.FormatMechanical: "a model for mechanical design; nothing is built from it",
	classify.FormatReadme:     "text without fabrication notes",
	classify.FormatText:       "text without fabrication notes",
	classify.FormatReport:     "a report of the design tool",
	classify.FormatApertures:  "the artwork holds its apertures itself",
	classify.FormatDrillRep:   "the drill files say as much themselves",
	classify.FormatLayerPairs: "the files say as much themselves",
	classify.FormatExtRep:     "the files say as much themselves",
	classify.FormatNCParam:    "the drill files say as much themselves",
	classify.FormatKiCad:      "part of the project; the board is in the .kicad_pcb",
}

// explain completes the reports of files that no board was read from.
func (r *reading) explain() {
	for _, f := range r.set.Results {
		if why := reasons[f.Format]; !f.Used && why != "" {
			f.Why = why
		}
	}
}
