package group_test

import (
	"testing"

	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
)

// upload has the files named, of which the first few are the group's and another group has
// none of the others.
func upload(groups, members int, names ...string) group.Upload {
	u := group.Upload{Set: &classify.Set{Groups: make([]classify.Group, groups)}, Group: &classify.Group{}}
	for i, n := range names {
		u.Files = append(u.Files, classify.File{Name: n})
		u.Set.Results = append(u.Set.Results, &classify.Result{FileReport: pcb.FileReport{Name: n}})
		if i < members {
			u.Group.Members = append(u.Group.Members, i)
		}
	}
	return u
}

// TestLiesBeside: a file belongs to the only group, or to one of its folder or archive.
func TestLiesBeside(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		groups int
		file   string
		want   bool
	}{
		"the only group":      {1, "z/notes.txt", true},
		"the same folder":     {2, "a.zip!/g/notes.txt", true},
		"the same archive":    {2, "a.zip!/notes.txt", true},
		"another archive":     {2, "b.zip!/notes.txt", false},
		"beside the archives": {2, "notes.txt", false},
	} {
		u := upload(c.groups, 1, "a.zip!/g/top.gbr", c.file)
		if got := u.LiesBeside(u.Result(1)); got != c.want {
			t.Errorf("%s: %q lies beside %q: %v, want %v", name, c.file, u.Files[0].Name, got, c.want)
		}
	}
}

// TestOwnsJob: a job file belongs to the group that has most of what it lists, or that it
// lies with where it lists nothing.
func TestOwnsJob(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		groups int
		job    string
		lists  []string
		want   bool
	}{
		"it lists most":           {2, "x/job.gbrjob", []string{"TOP.gbr", "sub/bottom.gbr", "gone.gbr"}, true},
		"it lists half":           {2, "g/job.gbrjob", []string{"top.gbr", "gone.gbr"}, false},
		"it lists none, beside":   {2, "g/job.gbrjob", nil, true},
		"it lists none, apart":    {2, "x/job.gbrjob", nil, false},
		"it lists none, only one": {1, "x/job.gbrjob", nil, true},
	} {
		u := upload(c.groups, 2, "g/top.gbr", "g/bottom.gbr", c.job)
		j := &gbrjob.Job{}
		for _, f := range c.lists {
			j.Files = append(j.Files, gbrjob.File{Path: f})
		}
		if got := u.OwnsJob(u.Result(2), j); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestSource: a hole names its file and line, one without a file neither.
func TestSource(t *testing.T) {
	t.Parallel()
	u := upload(1, 1, "x.drl")
	for _, c := range []struct {
		hole pcb.Hole
		want pcb.Source
	}{
		{pcb.Hole{File: 0, Line: 7}, pcb.Source{File: "x.drl", Line: 7}},
		{pcb.Hole{File: -1, Line: 7}, pcb.Source{}},
		{pcb.Hole{File: 1, Line: 7}, pcb.Source{}},
	} {
		if got := u.Source(&c.hole); got != c.want {
			t.Errorf("source of %+v: %+v, want %+v", c.hole, got, c.want)
		}
	}
}

// TestBoardBeside: a file is about the only board, or the only one that lies with it.
func TestBoardBeside(t *testing.T) {
	t.Parallel()
	board := func(file string) *pcb.Board {
		b := pcb.NewBoard(file)
		b.Layers = []*pcb.Layer{{File: file}}
		return b
	}
	x, y := board("x/top.gbr"), board("y/top.gbr")
	for name, c := range map[string]struct {
		boards []*pcb.Board
		file   string
		want   *pcb.Board
	}{
		"the only board":  {[]*pcb.Board{x}, "z/notes.txt", x},
		"its folder":      {[]*pcb.Board{x, y}, "y/notes.txt", y},
		"no folder of it": {[]*pcb.Board{x, y}, "z/notes.txt", nil},
		"two boards":      {[]*pcb.Board{x, y, board("y/other.gbr")}, "y/notes.txt", nil},
		"no board":        {nil, "notes.txt", nil},
	} {
		if got := group.BoardBeside(c.boards, c.file); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
