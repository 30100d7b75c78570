package quotes

import (
	"boardorder/pkg/contract"
)

// A TestScenario asks for an answer that is otherwise hard to come by. It stands as
// project_name, which decides nothing else and is there in quotes, reorders and buy
// links alike, and means something with test keys alone.
type TestScenario string

// The test scenarios.
const (
	TestReview           TestScenario = "test_review"                  // the team has to price it
	TestNeedsDetails     TestScenario = "test_needs_details"           // the files leave a question open
	TestNeedsPartNumbers TestScenario = "test_needs_part_numbers"      // the BOM lacks part numbers
	TestOffBoardParts    TestScenario = "test_off_board_parts"         // parts without a place
	TestDesignFiles      TestScenario = "test_design_files"            // the board would not work
	TestPriceUnavailable TestScenario = "test_price_unavailable"       // nobody can be asked now
	TestSlow             TestScenario = "test_slow"                    // it takes longer than a client waits
	TestExpired          TestScenario = "test_expired"                 // the quote expires at once
	TestDeclined         TestScenario = "test_declined"                // a saved card is declined
	TestAuthentication   TestScenario = "test_authentication_required" // the bank wants its customer
	TestOrdered          TestScenario = "test_ordered"                 // the order stays ordered
	TestInProduction     TestScenario = "test_in_production"           // it stays in production
	TestHeld             TestScenario = "test_held"                    // it is held for the team
)

// TestScenarios lists them all.
func TestScenarios() []TestScenario {
	return []TestScenario{
		TestReview, TestNeedsDetails, TestNeedsPartNumbers, TestOffBoardParts, TestDesignFiles, TestPriceUnavailable, TestSlow, TestExpired,
		TestDeclined, TestAuthentication, TestOrdered, TestInProduction, TestHeld,
	}
}

// TestScenarioOf is the test scenario of an owner's request; empty for live, and where there is
// none.
func TestScenarioOf(owner string, r Request) TestScenario {
	if !contract.IsTest(owner) || r.ProjectName == nil {
		return ""
	}
	for _, w := range TestScenarios() {
		if string(w) == *r.ProjectName {
			return w
		}
	}
	return ""
}
