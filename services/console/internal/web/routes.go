package web

import (
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
)

// Routes lists what only operators reach.
func Routes() []page.Route { return new(sections).operatorRoutes() }

// visitorRoutes are for whoever is not signed in yet. The first is the overview
// for whoever is.
func (s *sections) visitorRoutes() []page.Route {
	return []page.Route{
		{Pattern: "GET /{$}", Handle: s.signin.Front, Menu: page.Entry{Name: "overview", To: "/", Text: "Overview", Key: "o"}},
		{Pattern: "GET /sign-in", Handle: s.signin.SignInPage},
		{Pattern: "POST /sign-in", Handle: s.signin.SignIn},
		{Pattern: "POST /sign-in/link", Handle: s.signin.SignInByLink},
		{Pattern: "GET /sign-in/provider", Handle: s.signin.SendToProvider},
		{Pattern: "GET /sign-in/provider/back", Handle: s.signin.ReceiveFromProvider},
	}
}

// operatorRoutes are all others: what is served, what permission it needs, and
// what stands in the menu, in the menu's order.
func (s *sections) operatorRoutes() []page.Route {
	return []page.Route{
		{Pattern: "POST /sign-out", Handle: s.signin.SignOut, BeforeFactor: true},
		{Pattern: "GET /factor", Handle: s.signin.FactorPage, BeforeFactor: true},
		{Pattern: "POST /factor", Handle: s.signin.GiveFactor, BeforeFactor: true},
		{Pattern: "GET /factor/picture", Handle: s.signin.FactorPicture, BeforeFactor: true},
		{Pattern: "GET /sessions", Handle: s.sessions.List},
		{Pattern: "POST /sessions/{name}/{session}/end", Handle: s.sessions.End},
		{Pattern: "POST /operators/{name}/factor/remove", Needs: operator.ManageOperators, Handle: s.sessions.RemoveFactor},
		{Pattern: "GET /providers", Handle: s.providers.Show},
		{Pattern: "POST /find", Handle: s.find.Find},

		{Pattern: "GET /reviews", Handle: s.reviews.List, Menu: page.Entry{Name: "reviews", To: "/reviews", Text: "Review queue", Key: "r"}},
		{Pattern: "POST /reviews", Needs: operator.TakeCases, Handle: s.reviews.Assign},
		{Pattern: "GET /reviews/{ref}", Needs: operator.SetPrices, Handle: s.reviews.Show},
		{Pattern: "POST /reviews/{ref}", Needs: operator.SetPrices, Handle: s.reviews.Price},
		{Pattern: "POST /reviews/{ref}/parts", Needs: operator.SetPrices, Handle: s.reviews.PickPart},
		{Pattern: "POST /reviews/{ref}/ask", Needs: operator.SetPrices, Handle: s.reviews.Ask},
		{Pattern: "POST /reviews/{ref}/refuse", Needs: operator.SetPrices, Handle: s.reviews.Refuse},

		{Pattern: "GET /approvals", Handle: s.approvals.List, Menu: page.Entry{Name: "approvals", To: "/approvals", Text: "Approvals", Key: "a"}},
		{Pattern: "POST /cases/{ref}/take", Needs: operator.TakeCases, Handle: s.approvals.Take},
		{Pattern: "POST /cases/{ref}/notes", Needs: operator.TakeCases, Handle: s.approvals.AddNote},
		{Pattern: "POST /cases/{ref}/approvals/{id}", Needs: operator.TakeCases, Handle: s.approvals.Decide},

		{Pattern: "GET /quotes", Handle: s.quotes.List, Menu: page.Entry{Name: "quotes", To: "/quotes", Text: "Quotes", Key: "q"}},
		{Pattern: "GET /quotes/{ref}", Handle: s.quotes.Show},
		{Pattern: "GET /quotes/{ref}/history", Handle: s.quotes.History},
		{Pattern: "GET /quotes/{ref}/picture/{side}", Needs: operator.SeeDesigns, Handle: s.quotes.Picture},
		{Pattern: "GET /quotes/{ref}/layers", Needs: operator.SeeDesigns, Handle: s.quotes.Layers},
		{Pattern: "POST /quotes/{ref}/layers", Needs: operator.SeeDesigns, Handle: s.quotes.DrawLayers},
		{Pattern: "GET /quotes/{ref}/layers/{n}", Needs: operator.SeeDesigns, Handle: s.quotes.LayerPicture},
		{Pattern: "GET /quotes/{ref}/checks/{check}", Needs: operator.SeeDesigns, Handle: s.quotes.CheckReport},
		{Pattern: "GET /quotes/{ref}/package", Needs: operator.SeeDesigns, Handle: s.quotes.Package},
		{Pattern: "GET /quotes/{ref}/parts/{side}", Needs: operator.SeeDesigns, Handle: s.quotes.Outlines},
		{Pattern: "GET /quotes/{ref}/assembly", Needs: operator.SeeDesigns, Handle: s.quotes.AssemblyPackage},

		{Pattern: "GET /orders", Handle: s.orders.List, Menu: page.Entry{Name: "orders", To: "/orders", Text: "Orders", Key: "b"}},
		{Pattern: "POST /orders", Needs: operator.MoveOrders, Handle: s.orders.DecideSeveral},
		{Pattern: "GET /orders.csv", Needs: operator.SeeCustomers, Handle: s.orders.Export},
		{Pattern: "GET /orders/{ref}", Handle: s.orders.Show},
		{Pattern: "POST /orders/{ref}", Needs: operator.MoveOrders, Handle: s.orders.Report},
		{Pattern: "POST /orders/{ref}/refund", Needs: operator.MoveOrders, Handle: s.orders.Refund},
		{Pattern: "POST /orders/{ref}/cancel", Needs: operator.MoveOrders, Handle: s.orders.Cancel},
		{Pattern: "GET /orders/{ref}/package", Needs: operator.SeeDesigns, Handle: s.orders.Package},

		{Pattern: "GET /disputes", Handle: s.orders.Disputes, Menu: page.Entry{Name: "disputes", To: "/disputes", Text: "Disputed payments", Key: "p"}},
		{Pattern: "POST /disputes", Needs: operator.TakeCases, Handle: s.orders.TakeDisputes},

		{Pattern: "GET /central", Handle: s.formal.List, Menu: page.Entry{Name: "central", To: "/central", Text: "Formal orders", Key: "f"}},
		{Pattern: "GET /central/{ref}", Handle: s.formal.Show},
		{Pattern: "GET /central/{ref}/picture/{side}", Needs: operator.SeeDesigns, Handle: s.formal.Picture},
		{Pattern: "GET /central/{ref}/quote.pdf", Needs: operator.SeeCustomers, Handle: s.formal.QuotePDF},
		{Pattern: "GET /central/{ref}/files/{field}", Needs: operator.SeeDesigns, Handle: s.formal.File},
		{Pattern: "POST /central/{ref}/quote", Needs: operator.SetPrices, Handle: s.formal.Quote},
		{Pattern: "POST /central/{ref}/ask", Needs: operator.SetPrices, Handle: s.formal.Ask},
		{Pattern: "POST /central/{ref}/answer", Needs: operator.SetPrices, Handle: s.formal.WriteAnswer},
		{Pattern: "POST /central/{ref}/review", Needs: operator.SetPrices, Handle: s.formal.Review},
		{Pattern: "POST /central/{ref}/move", Needs: operator.MoveOrders, Handle: s.formal.Move},

		{Pattern: "GET /customers", Handle: s.customers.List, Menu: page.Entry{Name: "customers", To: "/customers", Text: "Customers", Key: "c"}},
		{Pattern: "GET /customers/{id}", Handle: s.customers.Show},
		{Pattern: "POST /customers/{id}/export", Needs: operator.ManageCustomers, Handle: s.customers.Export},
		{Pattern: "POST /customers/{id}/erase", Needs: operator.ManageCustomers, Handle: s.customers.Erase},

		{Pattern: "GET /uploads", Handle: s.uploads.List, Menu: page.Entry{Name: "uploads", To: "/uploads", Text: "Uploads", Key: "u"}},

		{Pattern: "GET /events", Handle: s.events.List, Menu: page.Entry{Name: "events", To: "/events", Text: "Event streams", Key: "e"}},
		{Pattern: "GET /events/live", Handle: s.events.Live},
		{Pattern: "GET /events/{aggregate}/{id}", Handle: s.events.History},
		{Pattern: "GET /event/{aggregate}/{at}", Needs: operator.SeeBodies, Handle: s.events.Show},

		{Pattern: "GET /streams", Handle: s.streams.Show, Menu: page.Entry{Name: "streams", To: "/streams", Text: "Streams, consumers", Key: "s"}},

		{Pattern: "GET /dead-letters", Handle: s.deadletters.List, Menu: page.Entry{Name: "dead", To: "/dead-letters", Text: "Dead letters", Key: "d"}},
		{Pattern: "GET /dead-letters/{seq}", Handle: s.deadletters.Show},
		{Pattern: "POST /dead-letters/replay", Needs: operator.ManageDead, Handle: s.deadletters.ReplayMany},
		{Pattern: "GET /dead-letters/replayed", Needs: operator.ManageDead, Handle: s.deadletters.ShowReplay},
		{Pattern: "POST /dead-letters/{seq}/replay", Needs: operator.ManageDead, Handle: s.deadletters.Replay},
		{Pattern: "POST /dead-letters/{seq}/discard", Needs: operator.ManageDead, Handle: s.deadletters.Discard},

		{Pattern: "GET /accounts", Handle: s.accounts.List, Menu: page.Entry{Name: "accounts", To: "/accounts", Text: "Accounts and keys", Key: "k"}},
		{Pattern: "POST /accounts", Needs: operator.ManageAccounts, Handle: s.accounts.Open},
		{Pattern: "GET /accounts/{id}", Handle: s.accounts.Show},
		{Pattern: "GET /accounts/{id}/events", Handle: s.told.Show},
		{Pattern: "GET /accounts/{id}/requests", Handle: s.failures.Show},
		{Pattern: "GET /accounts/{id}/webhooks", Handle: s.webhooks.Show},
		{Pattern: "POST /accounts/{id}/webhooks/{endpoint}/stop", Needs: operator.ManageAccounts, Handle: s.webhooks.Stop},
		{Pattern: "POST /accounts/{id}/webhooks/{endpoint}/start", Needs: operator.ManageAccounts, Handle: s.webhooks.Start},
		{Pattern: "POST /accounts/{id}/address", Needs: operator.ManageAccounts, Handle: s.accounts.SetAddress},
		{Pattern: "POST /accounts/{id}/fabricators", Needs: operator.ManageAccounts, Handle: s.accounts.SetFabricators},
		{Pattern: "POST /accounts/{id}/members/{member}/end-sessions", Needs: operator.ManageAccounts, Handle: s.accounts.EndSessions},
		{Pattern: "POST /accounts/{id}/members/{member}/remove", Needs: operator.ManageAccounts, Handle: s.accounts.RemoveMember},
		{Pattern: "POST /accounts/{id}/keys", Needs: operator.ManageAccounts, Handle: s.accounts.CreateKey},
		{Pattern: "GET /accounts/{id}/keys/{key}", Needs: operator.ManageAccounts, Handle: s.accounts.ChangeKeyPage},
		{Pattern: "POST /accounts/{id}/keys/{key}", Needs: operator.ManageAccounts, Handle: s.accounts.ChangeKey},
		{Pattern: "POST /accounts/{id}/keys/{key}/rotate", Needs: operator.ManageAccounts, Handle: s.accounts.RotateKey},
		{Pattern: "GET /accounts/{id}/keys/{key}/revoke", Needs: operator.ManageAccounts, Handle: s.accounts.RevokePage},
		{Pattern: "POST /accounts/{id}/keys/{key}/revoke", Needs: operator.ManageAccounts, Handle: s.accounts.RevokeKey},

		{Pattern: "GET /incidents", Handle: s.incidents.List, Menu: page.Entry{Name: "incidents", To: "/incidents", Text: "Status page", Key: "i"}},
		{Pattern: "POST /incidents", Needs: operator.WriteStatus, Handle: s.incidents.Open},
		{Pattern: "POST /incidents/{id}", Needs: operator.WriteStatus, Handle: s.incidents.Say},
		{Pattern: "POST /incidents/{id}/take-back", Needs: operator.WriteStatus, Handle: s.incidents.TakeBack},

		{Pattern: "GET /audit", Needs: operator.SeeAudit, Handle: s.trail.Show, Menu: page.Entry{Name: "audit", To: "/audit", Text: "Audit trail", Key: "t"}},
		{Pattern: "GET /audit/verify", Needs: operator.SeeAudit, Handle: s.trail.Verify},
		{Pattern: "GET /audit/file/{format}", Needs: operator.SeeAudit, Handle: s.trail.File},
	}
}
