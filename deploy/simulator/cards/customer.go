package cards

import "strings"

func (s *Server) createCustomer(t *tx, _ string, f form) (map[string]any, *apiError) {
	if bad := f.only("email", "name", "description", "metadata", "address", "phone", "shipping"); bad != nil {
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
	v, ok := s.state.customers.byID[id]
	if !ok {
		return nil, missing("customer", id)
	}
	if bad := f.only("email", "name", "description", "metadata"); bad != nil {
		return nil, bad
	}
	added, bad := f.metadata("metadata")
	if bad != nil {
		return nil, bad
	}
	v.Metadata = merged(v.Metadata, added)
	for name, field := range map[string]*string{"email": &v.Email, "name": &v.Name, "description": &v.Description} {
		if f.Has(name) {
			*field = f.Get(name)
		}
	}
	t.Customers = append(t.Customers, v)
	return viewCustomer(v), nil
}

func (s *Server) getCustomer(id string, _ form) (map[string]any, *apiError) {
	v, ok := s.state.customers.byID[id]
	if !ok {
		return nil, missing("customer", id)
	}
	return viewCustomer(v), nil
}

func (s *Server) listCustomers(_ string, f form) (map[string]any, *apiError) {
	docs := newest(&s.state.customers, f, map[string]func(Customer) string{
		"email": func(v Customer) string { return v.Email },
	}, viewCustomer)
	return paged("/v1/customers", docs, f)
}

func (s *Server) listCustomerMethods(id string, f form) (map[string]any, *apiError) {
	if _, ok := s.state.customers.byID[id]; !ok {
		return nil, missing("customer", id)
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
	return paged(path, docs, f)
}
