package designcheck

import (
	"errors"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/worker"

	"go.uber.org/zap"
)

// kicadJob is a job whose next file is KiCad's report, once it is asked for.
type kicadJob struct {
	report    string
	requested bool
}

func (k *kicadJob) Step(v any) error {
	k.requested = v.(measureStep).KiCad
	return nil
}

func (k *kicadJob) Next() (worker.File, error) {
	if !k.requested {
		return worker.File{}, errors.New("not asked for")
	}
	return worker.File{Data: []byte(k.report)}, nil
}

func TestSecondOpinion(t *testing.T) {
	t.Parallel()
	const report = `{"kicad_version":"9.0.2","coordinate_units":"mm","unconnected_items":[{"type":"unconnected_items","severity":"error","description":"Missing","items":[]}]}`
	from := func(file string) *pcb.Board {
		l := pcb.NewLayer("F.Cu", file)
		l.Role = pcb.RoleCopper
		return &pcb.Board{Name: "x", Layers: []*pcb.Layer{l}}
	}
	tests := map[string]struct {
		report, file string
		want         int
	}{
		"KiCad's board":     {report, "x.kicad_pcb", 1},
		"its plot":          {report, "x-F_Cu.gbr", 0},
		"installed, broken": {"", "x.kicad_pcb", 0},
		"no report":         {"<html>", "x.kicad_pcb", 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var r dfm.Report
			secondOpinion{&kicadJob{report: tt.report}, zap.NewNop()}.start(from(tt.file))(&r)
			if len(r.Findings) != tt.want || len(r.Assumed) != tt.want {
				t.Errorf("report %+v, want %d findings and as many assumptions", r, tt.want)
			}
		})
	}
}
