package edge

import (
	"sync"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/door"
	"boardorder/services/edge/internal/auth"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// notes are when this edge last had each key noted as sent from elsewhere: whoever holds a
// stolen one may send it a thousand times a second.
type notes struct {
	mu sync.Mutex
	at map[string]time.Time // by key id: of keys that exist
}

// begin reports whether a key may be noted now.
func (n *notes) begin(key string, now time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last, ok := n.at[key]; ok && now.Sub(last) < accounts.ElsewherePause {
		return false
	}
	if n.at == nil {
		n.at = map[string]time.Time{}
	}
	n.at[key] = now
	return true
}

// forget lets a key be noted again, where that could not be sent.
func (n *notes) forget(key string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.at, key)
}

// noteElsewhere counts a key that was sent from outside its networks, and has its account told.
// All edges send the same command on a day.
func (e *Edge) noteElsewhere(c *web.Call, from string, sent *auth.ElsewhereError) {
	network := door.NetworkName(from)
	e.elsewhere.Inc()
	c.Log().Warn("key sent from outside its networks", zap.String("account", sent.Account), zap.String("key", sent.Key), zap.String("network", network))
	now := e.deps.Now()
	if !e.noted.begin(sent.Key, now) {
		return
	}
	cmd, err := contract.NewRootCommand(accounts.NoteElsewhere, contract.DeriveID("elsewhere", sent.Key, now.UTC().Format(time.DateOnly)), "", now,
		accounts.NoteElsewhereData{Account: contract.AccountOf(sent.Account), KeyID: sent.Key, Network: network})
	if err == nil {
		err = e.deps.Bus.Send(c.Context(), cmd)
	}
	if err != nil {
		e.noted.forget(sent.Key)
		c.Log().Warn("an account cannot be told that its key was sent from elsewhere", zap.String("key", sent.Key), zap.Error(err))
	}
}
