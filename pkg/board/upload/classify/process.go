package classify

import (
	"cmp"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/pcb"
)

// settleProcess finds what the file is for that a plain board is made without: as the file
// states it, else by what it or its layer is called, else by its tools.
func (r *Result) settleProcess() {
	if r.protectsVias() {
		return
	}
	r.Process = cmp.Or(r.evidenceProcess(), r.processByName())
	switch {
	case r.Process == "":
		r.Process = toolProcess(r.file.Data)
	case r.Role == pcb.RoleUnknown, r.Role == pcb.RoleMechanical, r.Role == pcb.RoleFabDrawing, r.Role == pcb.RoleDrillDrawing:
		r.Role, r.Confidence = pcb.RoleOther, max(r.Confidence, 0.6)
		r.Why += "; it is for " + r.Process.Words()
	}
}

// evidenceProcess is what the file says of itself.
func (r *Result) evidenceProcess() pcb.Process {
	i := slices.IndexFunc(r.Evidence, func(w Evidence) bool {
		return w.Process != "" && (w.Role == r.Role || w.Weight == weightOther)
	})
	if i < 0 {
		return ""
	}
	return r.Evidence[i].Process
}

// nameableRoles are the roles of artwork whose name may say that it is for a process: what is
// copper, edge or holes is that, whatever the board is called.
var nameableRoles = map[pcb.Role]bool{
	pcb.RoleUnknown: true, pcb.RoleOther: true, pcb.RoleMechanical: true, pcb.RoleFabDrawing: true, pcb.RoleDrillDrawing: true,
	pcb.RoleCarbon: true, pcb.RolePeelable: true, pcb.RoleViaFill: true, pcb.RoleGoldFinger: true,
}

// processByName is what the file or its layer is called by, unless the board is called so.
func (r *Result) processByName() pcb.Process {
	p := process.Find(strings.Join(r.words, " ") + " " + r.extDesc)
	if nameableRoles[r.Role] || r.Role == pcb.RoleMask && p == pcb.Coverlaying || r.Role == pcb.RoleDrill && drillable[p] {
		return p
	}
	return ""
}

// drillable are the processes that drill programs are called by.
var drillable = map[pcb.Process]bool{pcb.PressFitting: true, pcb.DepthRouting: true, pcb.ViaFilling: true}

// IsSunk tells whether a drill program is for holes that end within the board's thickness,
// such as countersinks: what it drills is no hole through the board.
func (r *Result) IsSunk() bool { return r.Format == FormatExcellon && r.Process == pcb.DepthRouting }

// IsCastellated tells whether a drill program is called by plated half-holes on the edge.
func (r *Result) IsCastellated() bool {
	called := strings.Join(r.words, " ") + " "
	return r.Role == pcb.RoleDrill && (strings.Contains(called, "castell") || strings.Contains(called, "half hole") || strings.Contains(called, "halfhole"))
}

var viaProtection = pattern.Lazy(`(?i)-(?:(filling|capping)-(?:front|in\d+)-(?:back|in\d+)|(plugging|covering|tenting)-(?:front|back))$`)

// protectsVias takes the programs that KiCad 10 writes of how vias are protected for what
// they are: they have the places of holes that are drilled by others.
func (r *Result) protectsVias() bool {
	m := viaProtection().FindStringSubmatch(r.stem)
	if r.Format != FormatExcellon || m == nil {
		return false
	}
	r.Role, r.Why = pcb.RoleViaFill, "how vias are protected, by its name"
	if m[1] != "" || strings.EqualFold(m[2], "plugging") {
		r.Process = pcb.ViaFilling
	}
	return true
}

// toolProcess is what the tools of a drill file, or the apertures of artwork, are stated to
// be for; "" where that is nothing beyond a plain board.
func toolProcess(data []byte) pcb.Process {
	for _, m := range apertureFunctions().FindAllSubmatch(data[:min(len(data), scanLimit)], -1) {
		fields := strings.Split(string(m[1]), ",")
		for i, f := range fields {
			switch f = strings.TrimSpace(f); {
			case strings.EqualFold(f, "PressFit"):
				return pcb.PressFitting
			case f == "Cavity":
				return pcb.DepthRouting
			case i > 0 && fields[i-1] == "ViaDrill" && filledVia().MatchString(f):
				return pcb.ViaFilling
			}
		}
	}
	return ""
}

var (
	apertureFunctions = pattern.Lazy(`TA\.AperFunction,([^*\r\n]+)`)
	// filledVia are the types of IPC-4761, and the word before there were types, of vias
	// that are filled.
	filledVia = pattern.Lazy(`(?i)^(?:(?:IPC-?4761-)?(?:V|VI|VII)|Filled)$`)
)
