package quotes

// A FabricatorChoice says who builds the boards of a quote and why, and what each fabricator
// said when the quote was made. Later choices at checkout stay with the fabricator and do
// not change it.
type FabricatorChoice struct {
	Rule   string            `json:"rule"`   // as [accounts.FabricatorRule] writes it
	Why    string            `json:"why"`    // a sentence
	Offers []FabricatorOffer `json:"offers"` // in the order of the configuration, at most MaxOffers
}

// MaxOffers is how many offers a quote keeps.
const MaxOffers = 10

// An OfferStatus is what became of asking a fabricator.
type OfferStatus string

// What became of asking.
const (
	OfferChosen   OfferStatus = "chosen"
	OfferPriced   OfferStatus = "priced"
	OfferAway     OfferStatus = "away"      // it could not be reached, or had no price just now
	OfferSlow     OfferStatus = "slow"      // it did not answer in its time
	OfferByHand   OfferStatus = "by_hand"   // it prices such boards by hand
	OfferNotBuilt OfferStatus = "not_built" // it does not build or ship this
	OfferNotAsked OfferStatus = "not_asked"
)

// A FabricatorOffer is what one fabricator said.
type FabricatorOffer struct {
	Fabricator string      `json:"fabricator"` // public name
	Status     OfferStatus `json:"status"`
	// TotalCents is what the boards would cost delivered, with duty and tax, in US cents;
	// they arrive DaysMin to DaysMax working days after payment. All are 0 without a price.
	TotalCents int64  `json:"total_cents,omitempty"`
	DaysMin    int    `json:"days_min,omitempty"`
	DaysMax    int    `json:"days_max,omitempty"`
	Why        string `json:"why,omitempty"` // it was passed over; a sentence, at most MaxWhy bytes
}

// MaxWhy is how long a reason is at most, in bytes.
const MaxWhy = 200
