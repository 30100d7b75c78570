package faulty_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

// injected is what was done to a design on purpose.
type injected struct {
	Derived struct {
		Faults struct {
			Opens  []struct{ Net string }
			Shorts []struct{ Nets []string }
		}
	}
}

// TestInjected finds, in the Gerbers and in the project of real designs, each of
// the connections that were cut and of the nets that were bridged, and no other.
func TestInjected(t *testing.T) {
	t.Parallel()
	for _, row := range corpus.Designs(t) {
		name := row["name"]
		if !strings.HasPrefix(name, "fault-") {
			continue
		}
		var known injected
		if !corpus.Truth(t, name, &known) || len(known.Derived.Faults.Opens) == 0 {
			t.Errorf("%s: nothing tells what was injected", name)
			continue
		}
		all, _ := corpus.Upload(t, name)
		for _, project := range []bool{false, true} {
			var files []upload.File
			for _, f := range all {
				if strings.Contains(f.Name, "-kicad.zip") == project {
					files = append(files, upload.File(f))
				}
			}
			form := map[bool]string{false: "gerber", true: "kicad"}[project]
			t.Run(name+"/"+form, func(t *testing.T) {
				t.Parallel()
				d := examine(name, files)
				if d.err != nil || len(d.reports) == 0 {
					t.Fatalf("%s: %d boards, %v; want one at least", name, len(d.reports), d.err)
				}
				known.compare(t, d.reports[0])
			})
		}
	}
}

func (k *injected) compare(t *testing.T, r *dfm.Report) {
	var opens, shorts []string
	for _, f := range r.Findings {
		for _, p := range f.Places {
			nets := slices.Sorted(slices.Values(p.Nets[:]))
			switch f.Check {
			case dfm.Open, dfm.Unrouted:
				opens = append(opens, p.Nets[0])
			case dfm.Short:
				shorts = append(shorts, strings.Join(nets, " and "))
			}
		}
	}
	var wantOpens, wantShorts []string
	for _, o := range k.Derived.Faults.Opens {
		wantOpens = append(wantOpens, o.Net)
	}
	for _, s := range k.Derived.Faults.Shorts {
		wantShorts = append(wantShorts, strings.Join(slices.Sorted(slices.Values(s.Nets)), " and "))
	}
	for _, c := range []struct {
		what      string
		got, want []string
	}{{"opens", opens, wantOpens}, {"shorts", shorts, wantShorts}} {
		slices.Sort(c.got)
		slices.Sort(c.want)
		if got := slices.Compact(c.got); !slices.Equal(got, c.want) {
			t.Errorf("%s %q, want %q", c.what, got, c.want)
		}
	}
}

// TestBroken names what is wrong with designs that were broken on purpose.
func TestBroken(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]dfm.Name{
		"broken-no-outline":      dfm.OutlineMissing,
		"broken-outline-gap":     dfm.OutlineOpen,
		"broken-missing-inner":   dfm.LayerMissing,
		"broken-kicad-truncated": dfm.FilesUnreadable,
	} {
		files, _ := corpus.Upload(t, name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := examine(name, corpus.ConvertFiles[upload.File](files))
			if d.err != nil || len(d.reports) == 0 {
				t.Fatalf("%s: %d boards, %v; want one at least", name, len(d.reports), d.err)
			}
			for _, f := range d.reports[0].Findings {
				if f.Check == want && f.Level >= dfm.Warning {
					return
				}
			}
			t.Errorf("no %s; found:\n%s", want, sayAll(d.reports[0].Findings))
		})
	}
}
