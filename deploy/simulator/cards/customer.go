package cards

import "strings"

func (s *Server) createCustomer(t *tx, _ string, f form) (map[string]any, *apiError) {
	if bad := f.refuseUnknown("email", "name", "description", "metadata", "address", "phone", "shipping"); bad != nil {
		return nil, bad
	}
	data, bad := f.metadata("metadata")
	if bad != nil {
		return nil, bad
	}
	v := Customer{
		ID: newID("cus_"), Created: t.now.Unix(), Email: f.Get("email"), Name: f.Get("name"),
		Description: f.Get("description"), Metadata: data,
	}
	if v.Email != "" && !strings.Contains(v.Email, "@") {
		return nil, invalidCode("email_invalid", "email", "Invalid email address: %s", v.Email)
	}
	t.Customers = append(t.Customers, v)
	t.event("customer.created", viewCustomer(v))
	return viewCustomer(v), nil
}

func (s *Server) updateCustomer(t *tx, id string, f form) (map[string]any, *apiError) {
	v, bad := s.customer(id)
	if bad != nil {
		return nil, bad
	}
	if bad := f.refuseUnknown("email", "name", "description", "metadata"); bad != nil {
		return nil, bad
	}
	added, bad := f.metadata("metadata")
	if bad != nil {
		return nil, bad
	}
	v.Metadata = merge(v.Metadata, added)
	for name, field := range map[string]*string{"email": &v.Email, "name": &v.Name, "description": &v.Description} {
		if f.Has(name) {
			*field = f.Get(name)
		}
	}
	t.Customers = append(t.Customers, v)
	return viewCustomer(v), nil
}

// deleteCustomer forgets a customer with all saved cards.
func (s *Server) deleteCustomer(t *tx, id string, _ form) (map[string]any, *apiError) {
	v, bad := s.customer(id)
	if bad != nil {
		return nil, bad
	}
	t.event("customer.deleted", viewCustomer(v))
	t.Customers = append(t.Customers, Customer{ID: v.ID, Created: v.Created, Deleted: true})
	for _, m := range s.state.methods.objects() {
		if m.Customer == id {
			m.Customer, m.SetUp, m.Gone = "", false, true
			t.Methods = append(t.Methods, m)
		}
	}
	return map[string]any{"id": id, "object": "customer", "deleted": true}, nil
}

// customer finds a customer that was not deleted.
func (s *Server) customer(id string) (Customer, *apiError) {
	v, ok := s.state.customers.byID[id]
	if !ok || v.Deleted {
		return v, missing("customer", id)
	}
	return v, nil
}

func (s *Server) getCustomer(id string, _ form) (map[string]any, *apiError) {
	v, bad := s.customer(id)
	if bad != nil {
		return nil, bad
	}
	return viewCustomer(v), nil
}

func (s *Server) listCustomers(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.customers, f, map[string]func(Customer) string{
		"email": func(v Customer) string { return v.Email },
	}, viewCustomer)
	return paginate("/v1/customers", docs, f)
}

func (s *Server) listCustomerMethods(id string, f form) (map[string]any, *apiError) {
	if _, bad := s.customer(id); bad != nil {
		return nil, bad
	}
	f.Set("customer", id)
	return s.methodsOf("/v1/customers/"+id+"/payment_methods", f)
}

func (s *Server) listMethods(_ string, f form) (map[string]any, *apiError) {
	if bad := f.require("customer"); bad != nil {
		return nil, bad
	}
	return s.methodsOf("/v1/payment_methods", f)
}

func (s *Server) methodsOf(path string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.methods, f, map[string]func(Method) string{
		"customer": func(v Method) string { return v.Customer },
		"type":     func(Method) string { return "card" },
	}, viewMethod)
	return paginate(path, docs, f)
}
