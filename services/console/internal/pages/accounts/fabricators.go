package accounts

import (
	"net/http"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/page"
)

// fabricatorsForm is who builds an account's boards, as it is typed.
type fabricatorsForm struct {
	Rule       string // "" = the installation's
	SeesOffers bool
}

func formOf(a accounts.Account) fabricatorsForm {
	f := fabricatorsForm{SeesOffers: a.SeesOffers}
	if a.FabricatorRule != nil {
		f.Rule = a.FabricatorRule.String()
	}
	return f
}

// words is what the trail says of it.
func (f fabricatorsForm) words() map[string]string {
	out := map[string]string{"rule of fabricators": f.Rule, "sees other offers": "no"}
	if f.Rule == "" {
		out["rule of fabricators"] = "the installation's"
	}
	if f.SeesOffers {
		out["sees other offers"] = "yes"
	}
	return out
}

// SetFabricators says by what rule an account's fabricators are chosen.
func (s *Section) SetFabricators(c *page.Call) error {
	v, err := s.accountView(c)
	if err != nil {
		return err
	}
	before := v.Makers
	v.Makers = fabricatorsForm{untrusted.Line(c.R.PostFormValue("rule"), 100), c.R.PostFormValue("sees_offers") == "yes"}
	data := accounts.SetFabricatorsData{Account: v.ID, SeesOffers: v.Makers.SeesOffers, Operator: c.Session.Operator.Name}
	if v.Makers.Rule != "" {
		rule, err := accounts.ParseFabricatorRule(v.Makers.Rule)
		if err != nil {
			v.Problems = map[string]string{"rule": contract.Sentence(err.Error())}
			return c.Render(http.StatusUnprocessableEntity, templates, "account", v)
		}
		data.Rule = &rule
	}
	err = c.Command(audits.Record{Action: "set an account's fabricators", Kind: "account", ID: v.ID, Before: before.words(), After: v.Makers.words()},
		accounts.SetFabricators, c.R.PostFormValue("request"), v.ID, data)
	if refusal := contract.RefusalIn(err); refusal != nil {
		v.Problems = map[string]string{"rule": refusal.Message}
		return c.Render(http.StatusUnprocessableEntity, templates, "account", v)
	}
	return c.Finish(err, "/accounts/"+v.ID, "fabricators")
}
