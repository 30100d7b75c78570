package artwork

import (
	"context"
	"time"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/findings"
	"boardorder/pkg/board/upload/group"
)

// Read reads the Gerber files of a group, several at once, and adds to the list what was
// assumed of them. Files beside them whose apertures are used are marked as the board's.
// late tells that ctx ended before all were read: the others are left aside.
func Read(ctx context.Context, u group.Upload, board string, list *findings.List) (files []*File, late bool) {
	var members []int
	for _, i := range u.Group.Members {
		if u.Result(i).Format == classify.FormatGerber {
			members = append(members, i)
		}
	}
	read := make([]*File, len(members))
	late = parallel.Run(ctx, len(members), func(k int) {
		i := members[k]
		f := u.Files[i]
		read[k] = &File{File: gerber.Read(ctx, f.Name, f.Data, gerber.Options{}), Index: i, Result: u.Result(i), Data: f.Data}
	}) != nil
	for k, w := range read {
		if w == nil {
			u.Result(members[k]).LeaveAside("there was no time left to read it")
			continue
		}
		if w.NeedsApertures {
			w = joinApertures(ctx, u, board, w)
		}
		describe(w, list)
		files = append(files, w)
	}
	return files, late
}

// describe gives a layer the role that classification found.
func describe(w *File, list *findings.List) {
	f, l := w.Result, w.Layer
	l.Name, l.File = group.BaseName(f.Name), f.Name
	l.Role, l.Side, l.Order = f.Role, f.Side, f.Layer
	l.FromLayer, l.ToLayer, l.Process = f.FromLayer, f.ToLayer, f.Process
	if !l.Negative && l.Role == pcb.RoleCopper && l.Side == pcb.Inner {
		l.Negative = isNegativePlane(w)
		if !l.Negative && seemsNegative(w) {
			l.Negative = true
			list.Say(pcb.Warning, "plane_assumed", l.File, "it draws thermal reliefs and clearances alone, as planes are drawn as negatives, and does not say so: read as a plane from which these are taken away")
		}
	}
}

// CreationTime is when the file states to have been made.
func CreationTime(w *File) (time.Time, bool) {
	date := w.Attribute(".CreationDate")
	if len(date) == 0 {
		return time.Time{}, false
	}
	t, err := time.Parse(time.RFC3339, date[0])
	return t, err == nil
}
