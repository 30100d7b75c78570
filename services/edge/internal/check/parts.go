package check

import (
	"context"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

// PartReply is what a design check says of the parts, as the part-check reply.
type PartReply struct {
	OK bool `json:"ok"`
	partchecks.Report
}

// PartChecks holds the parts against their footprints.
type PartChecks struct {
	MustFix  int              `json:"must_fix"`
	Warnings int              `json:"warnings"`
	Checks   []assemblies.Fit `json:"checks"`
}

// beginParts has the parts of a check's board looked up, and names the assembly;
// "" while the files are not read, or where no board is meant.
func (k *Checks) beginParts(c *web.Call, in input, up uploads.Brief) (id string, err error) {
	read, found, err := outcome.Read[boards.ReadFiles](c.Context(), k.Docs, string(contract.BoardAggregate), up.Digest)
	if err != nil || !found || !read.IsRead() {
		return "", nil // the same check sent again finds them
	}
	board, ok := read.BoardNamed(in.data.Board)
	if in.data.Board == "" && len(read.Boards) == 1 {
		board, ok = read.Boards[0], true
	}
	if !ok {
		return "", nil // the check itself says so
	}
	data := assemblies.AssembleData{Upload: up.Ref, Digest: up.Digest, Board: board.Name, Boards: in.boards}
	if data.Assembly, err = assemblies.ID(c.Caller.Account, data); err != nil {
		return "", err
	}
	now, found, err := outcome.Read[assemblies.Assembly](c.Context(), k.Docs, string(contract.AssemblyAggregate), data.Assembly)
	if err == nil && found && (now.Usable(k.Now(), time.Time{}) || now.Running(k.Now())) {
		return data.Assembly, nil
	}
	cmd, err := contract.NewRootCommand(assemblies.Assemble, k.NewRequest(), c.Caller.Account, k.Now(), data)
	if err != nil {
		return "", err
	}
	if err := k.Send.Send(c.Context(), cmd); err != nil {
		return "", problem.Unavailable(err)
	}
	return data.Assembly, nil
}

// awaitParts waits for an assembly as long as the client does: one that does not
// wait gets the fabricator's answer.
func (k *Checks) awaitParts(ctx context.Context, id string, most, timeout time.Duration) (a *assemblies.Assembly) {
	w := k.Waiters.Join(wait.Subject{Of: contract.AssemblyAggregate, ID: id})
	defer w.Leave()
	_, _ = w.Await(ctx, max(most, time.Millisecond), func(ctx context.Context) (bool, error) {
		now, found, err := outcome.Read[assemblies.Assembly](ctx, k.Docs, string(contract.AssemblyAggregate), id)
		if err != nil || !found {
			return false, nil
		}
		a = &now
		return now.Status != partchecks.Running || timeout == 0 && now.Report != nil, nil
	})
	return a
}

const (
	partsLater   = "The parts of the bill of materials are looked up; the same check sent again has them."
	partsRefused = "The parts of the bill of materials were not checked: "
)

// parts puts what is known of an assembly into the report. a may be nil.
func (r *Report) parts(a *assemblies.Assembly) {
	switch {
	case a != nil && a.Refusal != nil:
		r.Assumed = append(r.Assumed, partsRefused+a.Refusal.Message)
		return
	case a == nil || a.Report == nil:
		r.Assumed = append(r.Assumed, partsLater)
		r.RetryAfterS = max(r.RetryAfterS, partsRetry)
		return
	}
	r.Parts = &PartReply{OK: true, Report: *a.Report}
	for i := range r.Parts.Parts { // as a file has them
		p := &r.Parts.Parts[i]
		p.Reference, p.Part = untrusted.CleanLine(p.Reference), untrusted.CleanLine(p.Part)
	}
	if a.Status == partchecks.Running {
		r.Parts.RetryAfterS = max(r.Parts.RetryAfterS, partsRetry)
	}
	if a.Plan != nil {
		r.Parts.Notes = append(r.Parts.Notes[:len(r.Parts.Notes):len(r.Parts.Notes)], a.Plan.Notes...)
	}
	if a.Price != nil {
		r.PartChecks = partChecks(a.Price.Checks)
		r.Status = worsen(r.Status, *r.PartChecks)
	}
	r.RetryAfterS = max(r.RetryAfterS, r.Parts.RetryAfterS)
}

// worsen is the status of a check with what its parts add: a part that does not fit is to
// be mended as a finding in the board is. A check that runs, or could not be made, stays
// what it is.
func worsen(s designchecks.Status, parts PartChecks) designchecks.Status {
	switch {
	case parts.MustFix > 0 && (s == designchecks.Pass || s == designchecks.Warning):
		return designchecks.MustFix
	case parts.Warnings > 0 && s == designchecks.Pass:
		return designchecks.Warning
	}
	return s
}

// partsRetry is when asking again makes sense, in seconds.
const partsRetry = 3

func partChecks(checks []assemblies.Fit) *PartChecks {
	out := &PartChecks{Checks: checks}
	for i := range checks {
		c := &checks[i]
		c.Reference, c.Footprint, c.Package = untrusted.CleanLine(c.Reference), untrusted.CleanLine(c.Footprint), untrusted.CleanLine(c.Package)
		switch c.Level {
		case "must_fix":
			out.MustFix++
		case "warning":
			out.Warnings++
		}
	}
	return out
}
