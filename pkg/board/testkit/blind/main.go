// Command blind reads and checks designs that the program was not made with, and
// compares what it says with what is true of them.
//
//	blind [-v] [folder [design...]]
//
// Every sub-folder is one upload, as a customer would send it. What is true stands
// in the package truth; the designs themselves are not part of the project. Without a
// folder it prints how each set came out when it was read for the first time.
//
// An answer is right, asked (none was given: the customer has to say), wrong and
// said (a finding says that something is doubtful), or WRONG without a word.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/blind/truth"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

func main() {
	verbose := flag.Bool("v", false, "print every finding and every file that was not understood")
	flag.Parse()
	if err := blind(os.Stdout, flag.Args(), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "blind:", err)
		os.Exit(1)
	}
}

func blind(w io.Writer, args []string, verbose bool) error {
	if len(args) == 0 {
		return history(w)
	}
	known, err := truth.Designs()
	if err != nil {
		return err
	}
	return run(w, known, args[0], args[1:], verbose)
}

// history prints the first run of each set.
func history(w io.Writer) error {
	runs, err := truth.TablesOfFirstRuns()
	if err != nil {
		return err
	}
	fmt.Fprint(w, runs)
	return truth.Misses(w)
}

// run measures the designs of a folder and prints what came out.
func run(w io.Writer, known map[string]*truth.Design, folder string, names []string, verbose bool) error {
	if len(names) == 0 {
		var err error
		if names, err = corpus.Folders(folder); err != nil {
			return err
		}
	}
	table := newTable(w, verbose)
	for _, name := range names {
		t := known[name]
		if t == nil {
			fmt.Fprintf(os.Stderr, "blind: nothing is known of %s\n", name)
			continue
		}
		m, err := measure(filepath.Join(folder, name), t)
		if err != nil {
			return err
		}
		table.add(name, t, m)
	}
	table.summary()
	return nil
}

// deadline is the longest that one design is given.
const deadline = 2 * time.Minute

// measurement is what came of one design.
type measurement struct {
	judgement
	boards   int
	refused  int      // archives that could not be unpacked
	mustFix  []string // what would stop the order, in words
	messages []string // everything else that was said, in words
	took     time.Duration
	status   string
}

// measure reads a design and checks each of its boards, as the service does: by the
// primary fabricator's limits for what the files state.
func measure(folder string, t *truth.Design) (measurement, error) {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	files, refused, err := corpus.Load(ctx, folder)
	if err != nil {
		return measurement{}, err
	}
	m := measurement{refused: len(refused), status: "done"}
	start := time.Now()
	p := upload.Read(ctx, corpus.ConvertFiles[upload.File](files), upload.Options{})
	reports := map[*pcb.Board]*dfm.Report{}
	for _, b := range p.Boards {
		r, err := check.Inspect(ctx, b, limits.Standard(len(b.Copper()), b.Facts.OuterCopper.Value))
		if err != nil {
			m.status = "out of time"
		}
		if len(r.Faults) > 0 {
			m.status = errors.Join(r.Faults...).Error()
		}
		reports[b] = r
	}
	m.took = time.Since(start)
	m.boards = len(p.Boards)
	if m.boards == 0 {
		m.status = "no board"
	}
	m.judgement = judge(t, p, reports)
	m.findings(p, reports)
	return m, nil
}

// findings puts into words what was found. A reader's finding about a board is
// repeated by its report when it stops the order.
func (m *measurement) findings(p *pcb.Project, reports map[*pcb.Board]*dfm.Report) {
	for _, f := range p.Findings {
		m.say(f.Level == pcb.Problem, f.Code+": "+f.File+": "+f.Message)
	}
	for _, b := range p.Boards {
		for _, f := range b.Findings {
			if f.Level != pcb.Problem {
				m.say(false, f.Level.String()+" "+f.Code+": "+f.Message)
			}
		}
		for _, f := range reports[b].Findings {
			m.say(f.Level == dfm.MustFix, f.Level.String()+" "+string(f.Check)+": "+f.What)
		}
	}
}

func (m *measurement) say(stops bool, what string) {
	if stops {
		m.mustFix = append(m.mustFix, what)
	} else {
		m.messages = append(m.messages, what)
	}
}
