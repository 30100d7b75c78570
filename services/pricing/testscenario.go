package pricing

import (
	"context"
	"errors"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/flow"
)

const (
	// slowFor is how long a quote takes that is asked to be slow: longer than
	// clients wait by default.
	slowFor = 40 * time.Second
	// soon is how long a quote holds that is asked to expire.
	soon = time.Second
	// reviewedAfter is when a review of a test key's quote gets its price: no team
	// looks at it.
	reviewedAfter = 5 * time.Second
)

// fabricatorsOf price the boards of an owner: those of test keys the
// table that is built in, or the operator's own, so that no fabricator is asked.
func (s *Service) fabricatorsOf(owner string) fabricator.List[Pricer] {
	if contract.IsTest(owner) {
		return fabricator.List[Pricer]{s.test}
	}
	return s.fabs
}

// missesScenario reports whether a test key's request names no test scenario but looks as if it
// meant one.
func missesScenario(owner string, r quotes.Request) bool {
	return contract.IsTest(owner) && quotes.TestScenarioOf(owner, r) == "" && r.ProjectName != nil &&
		strings.HasPrefix(strings.ToLower(strings.TrimSpace(*r.ProjectName)), "test_")
}

// testNotes say that a quote is a test, since nothing else in the reply's price does.
func testNotes(owner string, r quotes.Request) []string {
	if !contract.IsTest(owner) {
		return nil
	}
	notes := []string{"A test key asked: the price is that of a table and not the fabricator's, it is paid with test cards only, and nothing is made."}
	if missesScenario(owner, r) {
		names := make([]string, len(quotes.TestScenarios()))
		for i, w := range quotes.TestScenarios() {
			names[i] = string(w)
		}
		notes = append(notes, "project_name begins as a test scenario does and is none, so it asked for nothing. The scenarios are "+strings.Join(names, ", ")+".")
	}
	return notes
}

var errSlow = errors.New("the test scenario asks for a slow answer")

// answerScenario gives the answer that a test scenario asks for, until the request says what would
// mend it; nil where it asks for none.
func answerScenario(scenario quotes.TestScenario, r quotes.Request) error {
	switch scenario {
	case quotes.TestNeedsDetails:
		if r.ThicknessMM != nil || r.StandardForUnstated {
			return nil
		}
		refusal := contract.Refuse(contract.NeedsDetails, "The files do not say how thick the board is. (A test: send thickness_mm, or standard_for_unstated: true, and it goes on.)")
		refusal.Questions = []contract.Question{{Option: "thickness_mm", Question: "How thick shall the board be, in mm?", Choices: []any{0.8, 1.0, 1.2, 1.6, 2.0}, Usual: 1.6}}
		return refusal
	case quotes.TestNeedsPartNumbers:
		if r.StaffPicksParts {
			return nil
		}
		refusal := contract.Refuse(contract.NeedsPartNumbers, "A line of the bill of materials names no exact part. (A test: send staff_picks_parts: true, and it goes on.)")
		refusal.Parts = []contract.PartQuestion{{Reference: "R1", Part: "10k", Quantity: 1, Why: "no part number: any of many could be meant"}}
		return refusal
	case quotes.TestOffBoardParts:
		if len(r.DoNotFitRefs) > 0 {
			return nil
		}
		refusal := contract.Refuse(contract.OffBoardParts, "A part of the bill of materials has no place on the board. (A test: send do_not_fit_refs, and it goes on.)")
		refusal.OffBoard = []contract.PartQuestion{{Reference: "J1", Part: "Connector", Quantity: 1, Why: "no pick-and-place position"}}
		return refusal
	case quotes.TestDesignFiles:
		if r.SkipBoardChecks {
			return nil
		}
		return refuseDesign([]contract.Finding{{Level: "must_fix", Check: "short", What: "Two nets touch on the top layer.", AtMM: []float64{1, 1}}},
			"The design files have problems that must be mended first: findings lists each. (A test: send skip_board_checks: true, and it goes on.)")
	case quotes.TestPriceUnavailable:
		return unavailable(0)
	}
	return nil
}

// slow lets a quote wait until its time is over, and says so to the waiting client.
func (s *Service) slow(ctx context.Context, c contract.Command, r quotes.Request) error {
	left := slowFor - s.now().Sub(c.At)
	if left <= 0 {
		return nil
	}
	if err := s.record(ctx, c, stageTest(r)); err != nil {
		return err
	}
	return flow.Snooze(left, errSlow)
}

// reviewByItself has the review of a test key's quote priced a moment after it was
// requested. Done again it sets the same timer.
func (s *Service) reviewByItself(ctx context.Context, c contract.Command, q quotes.Quote) error {
	if !contract.IsTest(q.Account) || q.Status != quotes.SourcingRequested {
		return nil
	}
	due := s.now().Add(reviewedAfter)
	price, err := c.Follow(quotes.PriceReview, "test", due, fakePrice(q))
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{Aggregate: contract.QuoteAggregate, AggregateID: q.Ref, What: "test-price", Due: due, Command: price})
}

// fakePrice is the price of a review that nobody looks at: $100.00 for the order as
// it was asked for, whatever it is.
func fakePrice(q quotes.Quote) quotes.PriceReviewData {
	data := quotes.PriceReviewData{
		Quote: q.Ref, Operator: "test", BuildDays: 7, TransitMin: 3, TransitMax: 5, Below: true,
		Note: "This price is made up: nobody looks at reviews of test keys.",
	}
	left := int64(10_000)
	add := func(part prices.Part, label string, cents int64) {
		left -= cents
		data.Lines = append(data.Lines, prices.PricedLine{Line: prices.Line{Label: label + " (test price)", Cents: cents}, For: part})
	}
	add(prices.Shipping, "Shipping", 1500)
	add(prices.Tax, "Tax", 500)
	if q.Known.CentsOf(prices.Duty) > 0 {
		add(prices.Duty, "Import duty", 100)
	}
	if q.Request.Assembly {
		add(prices.Assembly, "Assembly", 1000)
		add(prices.Components, "Parts", 1000)
	}
	for _, p := range q.PartsToDecide() {
		data.Parts = append(data.Parts, quotes.PartDecision{Reference: p.Reference, Fitting: assemblies.CustomerSupplied})
	}
	add(prices.Boards, "Boards", left)
	return data
}
