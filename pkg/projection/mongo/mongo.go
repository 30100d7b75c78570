// Package mongo keeps the projection in a MongoDB database.
//
// Each kind is a collection, named by its generation and kind, such as
// g1.quote. It is used for single-document writes, plain indexes, one that
// expires documents, and sorted, limited finds and counts only. Writes are
// acknowledged by a majority and journalled.
package mongo

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.mongodb.org/mongo-driver/v2/mongo/readpref"
	"go.mongodb.org/mongo-driver/v2/mongo/writeconcern"
	"go.mongodb.org/mongo-driver/v2/x/mongo/driver/connstring"

	"boardorder/pkg/projection"
)

const (
	// DefaultDatabase is used when the URL names none.
	DefaultDatabase = "projection"
	// DefaultLease is how long a process may go on without asking which
	// generation is live: what a rebuild waits for at its start and its end.
	DefaultLease = 2 * time.Second
	// timeout bounds an operation whose context has no deadline.
	timeout = 30 * time.Second
	// selectionTimeout bounds how long an operation looks for a server that can be
	// reached, so that one that is unreachable is reported while the caller waits.
	selectionTimeout = 5 * time.Second
)

// A Store is a projection.Store and projection.Rebuilder on a database.
type Store struct {
	client      *driver.Client
	db          *driver.Database
	generations generations
	indexes     indexes
	view        // of the live generation
}

var (
	_ projection.Store     = (*Store)(nil)
	_ projection.Rebuilder = (*Store)(nil)
	_ projection.Indexer   = (*Store)(nil)
)

// settings are what options change.
type settings struct {
	lease time.Duration
	tls   *tls.Config
}

// An Option changes how Open makes a Store.
type Option func(*settings)

// Lease is for tests, which need not wait for DefaultLease. All stores on a
// database must have the same.
func Lease(d time.Duration) Option {
	return func(s *settings) { s.lease = d }
}

// TLS makes connections use c; nil leaves it to the URL.
func TLS(c *tls.Config) Option {
	return func(s *settings) { s.tls = c }
}

// Open makes a store on the database that the URL names, or DefaultDatabase.
// It does not wait for the server: Ping reports whether it can be reached.
// Errors do not show the URL's password.
func Open(url string, opts ...Option) (*Store, error) {
	parsed, err := connstring.ParseAndValidate(url)
	if err != nil {
		return nil, fmt.Errorf("open projection: MongoDB URL: %s", conceal(err, url))
	}
	o := options.Client().ApplyURI(url).SetMonitor(monitor())
	o.SetWriteConcern(&writeconcern.WriteConcern{W: "majority", Journal: new(true)})
	if !parsed.TimeoutSet {
		o.SetTimeout(timeout)
	}
	if !parsed.ServerSelectionTimeoutSet {
		o.SetServerSelectionTimeout(selectionTimeout)
	}
	if parsed.AppName == "" {
		o.SetAppName("boardorder")
	}
	set := settings{lease: DefaultLease}
	for _, opt := range opts {
		opt(&set)
	}
	if set.tls != nil {
		o.SetTLSConfig(set.tls)
	}
	// Whoever is woken reads what was just written, which a secondary may not have.
	if mode := o.ReadPreference; mode != nil && mode.Mode() != readpref.PrimaryMode {
		return nil, fmt.Errorf("open projection: the MongoDB URL reads from %s; only readPreference=primary gives what was just written", mode.Mode())
	}
	client, err := driver.Connect(o)
	if err != nil {
		return nil, fmt.Errorf("open projection: %s", conceal(err, url))
	}
	s := &Store{client: client, db: client.Database(DefaultDatabase)}
	if parsed.Database != "" {
		s.db = client.Database(parsed.Database)
	}
	s.generations = newGenerations(s.db.Collection("generations"), set.lease)
	s.view = view{db: s.db, generation: func(ctx context.Context) (int64, error) {
		state, err := s.generations.current(ctx)
		return state.Live, err
	}}
	return s, nil
}

// conceal is what err says, without anything of the user and password.
func conceal(err error, address string) string {
	_, rest, _ := strings.Cut(address, "://")
	if at := strings.LastIndexByte(rest, '@'); at >= 0 {
		for part := range strings.FieldsFuncSeq(rest[:at], func(r rune) bool { return r == ':' || r == '/' || r == '@' }) {
			// Of what cannot be unescaped the error quotes a piece.
			if _, bad := url.PathUnescape(part); bad != nil || strings.Contains(err.Error(), part) {
				return "cannot be read; special characters in the user and password must be percent-encoded"
			}
		}
	}
	return err.Error()
}

// Ping asks the server which generation is live.
func (s *Store) Ping(ctx context.Context) error {
	if _, err := s.generations.refresh(ctx); err != nil {
		return wrapError(err, "ping projection")
	}
	return nil
}

// closing bounds how long Close waits for operations that are under way.
const closing = 5 * time.Second

// Close disconnects.
func (s *Store) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closing)
	defer cancel()
	if err := s.client.Disconnect(ctx); err != nil && !errors.Is(err, driver.ErrClientDisconnected) {
		return fmt.Errorf("close projection: %w", err)
	}
	return nil
}
