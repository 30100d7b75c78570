package central

import (
	"context"
	"time"

	"boardorder/pkg/contract"
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
func (s *Service) goOnByItself(ctx context.Context, c contract.Command, o contract.CentralOrder) error {
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
	return s.events.Schedule(ctx, contract.Timer{Aggregate: contract.CentralAggregate, AggregateID: o.Key, What: "test", Due: due, Command: next})
}

// testNext is what the team would do next; nil for nothing.
func testNext(o contract.CentralOrder, at time.Time) (contract.CommandName, any) {
	move := contract.MoveCentralData{Order: o.Key, ITAR: o.ITAR, Operator: testOperator}
	switch o.Status {
	case contract.CentralStatusSubmitted, contract.CentralStatusInReview:
		switch o.Name {
		case testUnquoted:
			return contract.CommandName{}, nil
		case testCancelled:
			move.Status, move.Note = contract.CentralStatusCancelled, "A test: cancelled, as its name asks."
			return contract.MoveCentral, move
		}
		return contract.QuoteCentral, testQuote(o, at)
	case contract.CentralStatusQuoted:
		if o.Name == testRequoted && o.Issued == 1 {
			return contract.QuoteCentral, testQuote(o, at)
		}
		return contract.CommandName{}, nil
	case contract.CentralStatusAccepted:
		move.Status = contract.CentralStatusInProduction
		if option := o.Quote.Option(o.Accepted.OptionID); option != nil {
			move.EstimatedShip = at.AddDate(0, 0, option.LeadTimeDays).Format(time.DateOnly)
		}
	case contract.CentralStatusInProduction:
		move.Status, move.Tracking = contract.CentralStatusShipped, &contract.Tracking{Carrier: "Test carrier", Number: "TEST-" + o.Ref}
	case contract.CentralStatusShipped:
		move.Status = contract.CentralStatusDelivered
	default:
		return contract.CommandName{}, nil
	}
	return contract.MoveCentral, move
}

// testQuote is a quote of two options, so that a client has something to choose.
func testQuote(o contract.CentralOrder, at time.Time) contract.QuoteCentralData {
	option := func(days int, each int64) contract.CentralOption {
		boards := each * int64(o.Qty)
		return contract.CentralOption{
			Fabricator: "Test fabricator", Description: testNote, LeadTimeDays: days, TotalCents: boards + 5_000,
			Lines: []contract.Line{{Label: "Boards (test price)", Cents: boards}, {Label: "Shipping (test price)", Cents: 5_000}},
		}
	}
	return contract.QuoteCentralData{
		Order: o.Key, ITAR: o.ITAR, Operator: testOperator, Note: testNote, ValidUntil: at.AddDate(0, 0, 30), Options: []contract.CentralOption{option(15, 200), option(5, 350)},
	}
}
