package quotes

import (
	"boardorder/pkg/contract"
)

// A TestWord asks for an answer that is otherwise hard to come by. It stands as
// project_name, which decides nothing else and is there in quotes, reorders and buy
// links alike, and means something with test keys alone.
type TestWord string

// The test words.
const (
	TestReview           TestWord = "test_review"                  // the team has to price it
	TestNeedsDetails     TestWord = "test_needs_details"           // the files leave a question open
	TestNeedsPartNumbers TestWord = "test_needs_part_numbers"      // the BOM lacks part numbers
	TestOffBoardParts    TestWord = "test_off_board_parts"         // parts without a place
	TestDesignFiles      TestWord = "test_design_files"            // the board would not work
	TestPriceUnavailable TestWord = "test_price_unavailable"       // nobody can be asked now
	TestSlow             TestWord = "test_slow"                    // it takes longer than a client waits
	TestExpired          TestWord = "test_expired"                 // the quote expires at once
	TestDeclined         TestWord = "test_declined"                // a saved card is declined
	TestAuthentication   TestWord = "test_authentication_required" // the bank wants its customer
	TestOrdered          TestWord = "test_ordered"                 // the order stays ordered
	TestInProduction     TestWord = "test_in_production"           // it stays in production
	TestHeld             TestWord = "test_held"                    // it is held for the team
)

// TestWords lists them all.
func TestWords() []TestWord {
	return []TestWord{
		TestReview, TestNeedsDetails, TestNeedsPartNumbers, TestOffBoardParts, TestDesignFiles, TestPriceUnavailable, TestSlow, TestExpired,
		TestDeclined, TestAuthentication, TestOrdered, TestInProduction, TestHeld,
	}
}

// TestWordOf is the test word of an owner's request; empty for live, and where there is
// none.
func TestWordOf(owner string, r Request) TestWord {
	if !contract.IsTest(owner) || r.ProjectName == nil {
		return ""
	}
	for _, w := range TestWords() {
		if string(w) == *r.ProjectName {
			return w
		}
	}
	return ""
}
