package checkout

// sellerView is who sells, and where to find and reach them.
type sellerView struct{ Name, Imprint, Contact, Terms string }

func (p *Pages) seller() sellerView {
	v := sellerView{Name: p.Shop}
	for _, t := range p.Legal {
		switch at := p.base + t.Path(); t.Name {
		case "imprint":
			v.Imprint = at
		case "contact":
			v.Contact = at
		case "terms":
			v.Terms = at
		}
	}
	return v
}
