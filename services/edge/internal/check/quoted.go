package check

import (
	"cmp"
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// ReportURLOfQuote is the address of the report of the board that was quoted, as it is to be
// built. The check is made now where there is none.
func (k *Checks) ReportURLOfQuote(c *web.Call, q quotes.Quote) (string, error) {
	data := contract.CheckDesignData{Upload: q.Upload, Board: q.Board, CopperOz: 1, ThicknessMM: 1.6, Answers: q.Request.FileAnswers}
	if d := q.Reply.BoardDetails; d != nil {
		data.CopperOz = min(max(cmp.Or(d.CopperOz, data.CopperOz), 0.5), 6)
		data.ThicknessMM = min(max(cmp.Or(d.ThicknessMM, data.ThicknessMM), 0.2), 6)
	}
	id := designchecks.ID(boards.DigestWithAnswers(boards.FilesDigest(q.Digest), data.Answers), data.Board, data.CopperOz, data.ThicknessMM)
	made, found, err := outcome.Read[designchecks.DesignCheck](c.Context(), k.Docs, string(contract.DesignCheckAggregate), id)
	if err != nil {
		return "", err
	}
	if !found || made.Status == designchecks.Gone {
		id, err = k.begin(c, q.Account, data, time.Now().Add(openWait))
		switch {
		case err != nil && problem.Find(err).Status < http.StatusInternalServerError:
			return "", problem.New(contract.LinkExpired, "The files of this quote have been deleted, so that no report of them can be made any more.")
		case err == nil && id == "":
			err = problem.New(contract.Unavailable, "The design check could not be begun yet. Please try again in a moment.")
		}
		if err != nil {
			return "", err
		}
	}
	base, err := k.address(c.Context(), id, q.Upload, q.ExpiresAt)
	return base + "report.html", err
}
