package classify

import (
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/sources"
)

// toolBackup is how design tools call what they keep by themselves: the archives of
// KiCad with their time, its autosaves and last but one version, and EAGLE's
// numbered ones.
var toolBackup = pattern.Lazy(`(?i)(^|/)(` +
	`[^/]+-backups/[^/]+-\d{4}-\d{2}-\d{2}_\d{4,6}\.zip(!?/.*)?` +
	`|_autosave-[^/]+|#auto_saved_files#` +
	`|[^/]+\.(kicad_pcb|kicad_sch|kicad_pro)-bak` +
	`|[^/]+\.[bs]#\d)$`)

// backups leaves aside what a design tool kept by itself, where there is a board
// besides: it is an earlier state of one. Alone it may be what is left of the board.
func (s *Set) backups() {
	var kept []*Result
	other := false
	for _, r := range s.Results {
		if toolBackup().MatchString(strings.ReplaceAll(r.Name, "\\", "/")) {
			kept = append(kept, r)
			continue
		}
		_, whole := sources.Find(r.Format)
		other = other || whole || r.Format == FormatGerber && r.Role == pcb.RoleCopper
	}
	if !other {
		return
	}
	for _, r := range kept {
		r.Backup, r.Format, r.Role = true, FormatCopy, pcb.RoleOther
		r.Side, r.Order, r.FromLayer, r.ToLayer = pcb.NoSide, 0, 0, 0
		r.Why = "a backup that a design tool kept by itself; another board is there"
	}
}
