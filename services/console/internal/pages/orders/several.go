package orders

import (
	"net/http"
	"slices"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/orders"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"

	"go.uber.org/zap"
)

// maxSeveral is how many orders are decided on at once: as many as a page lists.
const maxSeveral = states.PerPage

// decision is what an operator wants of several held orders.
type decision struct {
	Request, Act, Why string
}

type severalView struct {
	page.Frame
	Rows []severalRow
}

// severalRow is what became of one order.
type severalRow struct {
	Ref, To, Outcome, Why string
	Failed                bool
}

// DecideSeveral places the chosen held orders again with the fabricator, or cancels them, for
// one reason. Each is a command and a record of its own and goes through all that it would
// alone, a second operator among it; what became of each stands on the page that follows.
// Sent again, nothing happens twice.
func (s *Section) DecideSeveral(c *page.Call) error {
	_ = c.R.ParseForm() // was parsed before
	chosen := slices.Compact(slices.Sorted(slices.Values(c.R.PostForm["order"])))
	d := decision{Request: c.R.PostFormValue("request"), Act: c.R.PostFormValue("action"), Why: untrusted.Line(c.R.PostFormValue("why"), 300)}
	switch {
	case len(chosen) == 0 || len(chosen) > maxSeveral:
		return refuse("choose the orders first.")
	case d.Act != "release" && d.Act != "cancel":
		return refuse("choose what to do with them.")
	case strings.TrimSpace(d.Why) == "":
		return refuse("enter the reason.")
	case c.R.PostFormValue("sure") != "yes":
		return refuse("please tick the box to confirm.")
	}
	v := severalView{Frame: c.Frame("orders", "Several held orders")}
	slow := false
	for _, quote := range chosen {
		o, err := states.Get[orders.Order](c.R.Context(), s.Docs, contract.OrderAggregate, quote)
		if err != nil {
			return err
		}
		switch {
		case o == nil:
			v.Rows = append(v.Rows, severalRow{Ref: untrusted.Line(quote, 40), Outcome: "not done", Why: "There is no such order.", Failed: true})
		case slow: // the page would not come in time
			v.Rows = append(v.Rows, severalRow{Ref: o.Ref, To: "/orders/" + o.Quote, Outcome: "not tried", Why: "The orders before it took too long.", Failed: true})
		default:
			row := s.decideOne(c, *o, d)
			slow = row.Outcome == stored
			v.Rows = append(v.Rows, row)
		}
	}
	return c.Show(templates, "several", v)
}

func refuse(why string) error {
	return page.Problem{Status: http.StatusUnprocessableEntity, Message: "Nothing was done: " + why}
}

// stored is the outcome of a command that has not been carried out in time.
const stored = "stored"

// decideOne decides on one order.
func (s *Section) decideOne(c *page.Call, o orders.Order, d decision) severalRow {
	row := severalRow{Ref: o.Ref, To: "/orders/" + o.Quote}
	done, err := s.sendDecision(c, o, d)
	switch refusal := contract.RefusalIn(err); {
	case refusal != nil:
		row.Outcome, row.Why, row.Failed = "not done", refusal.Message, true
	case page.IsSlow(err):
		row.Outcome, row.Why = stored, "It has not been carried out yet. Check again in a moment."
	case err != nil:
		s.Log.Warn("one of several orders was not decided on", zap.String("order", o.Ref), zap.Error(err))
		row.Outcome, row.Why, row.Failed = "not done", "Something went wrong. The log has the details.", true
	default:
		row.Outcome = done
	}
	return row
}

func (s *Section) sendDecision(c *page.Call, o orders.Order, d decision) (string, error) {
	request := d.Request + "-" + o.Quote
	switch {
	case o.Status != orders.Held:
		return "", contract.Refuse(contract.Conflict, "It is not held any more.")
	case d.Act == "cancel":
		cents := o.RefundableCents()
		data := orders.CancelData{Quote: o.Quote, Operator: c.Session.Operator.Name, Why: d.Why}
		done, err := s.sendMoney(c, o, moneyForm{Request: request, Why: page.Field{Value: d.Why}}, cases.ApproveCancel, orders.Cancel, cents, data, "cancelled")
		if done == "approval" {
			done = "waits for a second operator"
		}
		return done, err
	case !slices.Contains(moves(o), orders.Paid):
		return "", contract.Refuse(contract.Conflict, "It is placed by hand: there is nothing to ask the fabricator for.")
	}
	data := orders.ReportStatusData{Quote: o.Quote, Operator: c.Session.Operator.Name, Status: orders.Paid, Note: d.Why}
	return "placed again", sendReport(c, o, data, request)
}
