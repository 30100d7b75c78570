package central

import (
	"context"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/shipments"
)

// testStep is how long an order of a test key stays where it is: nobody of the team
// looks at it, so it goes on by itself, and waits for the acceptance of its quote only.
const testStep = 5 * time.Second

// Names by which an order of a test key asks for something else.
const (
	testUnquoted  = "test_unquoted"  // no quote is issued
	testRequoted  = "test_requoted"  // a second quote takes the place of the first
	testCancelled = "test_cancelled" // it is cancelled
)

const (
	testOperator = "test"
	testNote     = "A test: this quote is made up, and nothing is built."
)

// goOnByItself sets the timer of the next step of a test key's order. Done again it
// sets the same one; each step sets the next.
func (s *Service) goOnByItself(ctx context.Context, c contract.Command, o formal.Order) error {
	if !contract.IsTest(o.Account) {
		return nil
	}
	due := o.UpdatedAt.Add(testStep)
	name, data := testNext(o, due)
	if data == nil {
		return nil
	}
	next, err := c.Follow(name, "test:"+string(o.Status), due, data)
	if err != nil {
		return err
	}
	return s.events.Schedule(ctx, contract.Timer{Aggregate: contract.FormalAggregate, AggregateID: o.Key, What: "test", Due: due, Command: next})
}

// testNext is what the team would do next; nil for nothing.
func testNext(o formal.Order, at time.Time) (contract.CommandName, any) {
	move := formal.MoveData{Order: o.Key, ITAR: o.ITAR, Operator: testOperator}
	switch o.Status {
	case formal.Submitted, formal.InReview:
		switch o.Name {
		case testUnquoted:
			return contract.CommandName{}, nil
		case testCancelled:
			move.Status, move.Note = formal.Cancelled, "A test: cancelled, as its name asks."
			return formal.Move, move
		}
		return formal.IssueQuote, testQuote(o, at)
	case formal.Quoted:
		if o.Name == testRequoted && o.Issued == 1 {
			return formal.IssueQuote, testQuote(o, at)
		}
		return contract.CommandName{}, nil
	case formal.Accepted:
		move.Status = formal.InProduction
		if option := o.Quote.Option(o.Accepted.OptionID); option != nil {
			move.EstimatedShip = at.AddDate(0, 0, option.LeadTimeDays).Format(time.DateOnly)
		}
	case formal.InProduction:
		move.Status, move.Tracking = formal.Shipped, &shipments.Tracking{Carrier: "Test carrier", Number: "TEST-" + o.Ref}
	case formal.Shipped:
		move.Status = formal.Delivered
	default:
		return contract.CommandName{}, nil
	}
	return formal.Move, move
}

// testQuote is a quote of two options, so that a client has something to choose.
func testQuote(o formal.Order, at time.Time) formal.IssueQuoteData {
	option := func(days int, each int64) formal.Option {
		boards := each * int64(o.Qty)
		return formal.Option{
			Fabricator: "Test fabricator", Description: testNote, LeadTimeDays: days, TotalCents: boards + 5_000,
			Lines: []prices.Line{{Label: "Boards (test price)", Cents: boards}, {Label: "Shipping (test price)", Cents: 5_000}},
		}
	}
	return formal.IssueQuoteData{
		Order: o.Key, ITAR: o.ITAR, Operator: testOperator, Note: testNote, ValidUntil: at.AddDate(0, 0, 30), Options: []formal.Option{option(15, 200), option(5, 350)},
	}
}
