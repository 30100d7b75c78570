package edge

import "boardorder/services/edge/internal/web"

// RoutesForTest lists the routes, so that a test can hold the description
// against them.
func (e *Edge) RoutesForTest() ([]web.Route, error) { return e.routes() }

// WaitingForTest is how many requests wait.
func (e *Edge) WaitingForTest() int { return e.waiters.Waiting() }

// PortalRoutes are those of the portal.
func (e *Edge) PortalRoutes() []web.Route { return e.portal.Routes() }
