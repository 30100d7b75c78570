package providers

import (
	"strings"

	"boardorder/pkg/provider"
	"boardorder/pkg/status"
	"boardorder/services/console/internal/page"
)

type providersView struct {
	page.Frame
	Providers []provider.Health
	Advice    []advice
}

// An advice is what the handbook says about providers of a kind.
type advice struct {
	Kind provider.Kind
	Name string
	Text string
}

// A word is a piece of an advice: code stands between backticks there.
type word struct {
	Text string
	Code bool
}

// Words are the pieces, the first with a capital letter.
func (a advice) Words() (out []word) {
	for i, piece := range strings.Split(strings.ToUpper(a.Text[:1])+a.Text[1:], "`") {
		out = append(out, word{piece, i%2 == 1})
	}
	return out
}

// advices are word by word what the handbook's page of ProviderCircuitOpen says.
var advices = []advice{
	{provider.Fabricator, "A fabricator", "the next of the list prices what it builds; of everything else customers get `price_unavailable` with the time to come again. Orders of its quotes wait and are placed there by themselves. Say so on the status page."},
	{provider.CardProcessor, "The card processor", "payments are asked for again; nobody is charged twice. Nothing to do but to wait."},
	{provider.PartsSupplier, "A supplier of parts", "part checks say what could not be asked. Nothing to do. Where our calls are used up: buy more, or wait for the day to end."},
	{provider.ExchangeRates, "The exchange rates", "the last good ones are used, for `EXCHANGE_RATES_MAX_DAYS` days; then prices in other currencies are not shown. See whether the address is reached from our network."},
	{provider.MailServer, "The mail server", "e-mails wait and are tried for more than a day, then they are dead letters, to be sent again from the console. Customers see all on their pages meanwhile."},
}

// Show shows each provider, and what to do about it.
func (s *Section) Show(c *page.Call) error {
	v := providersView{Frame: c.Frame("overview", "External providers"), Advice: advices}
	v.Refresh = 15
	var err error
	if v.Providers, err = status.ReadHealth(c.R.Context(), s.Health, s.Now()); err != nil {
		return err
	}
	return c.Show(templates, "providers", v)
}
