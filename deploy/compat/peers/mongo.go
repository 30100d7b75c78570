// Package peers starts the foreign servers that the adapters are tested
// against, or leads to real ones.
package peers

import (
	"context"
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// StartMongo returns the URL of an empty database that lives as long as the test:
// on the server that MONGO_URI names, or on a mongod of the process's own.
func StartMongo(t testing.TB) string {
	t.Helper()
	uri := os.Getenv("MONGO_URI")
	if uri == "" {
		uri = "mongodb://" + commonMongod(t).Addr
	}
	return NewDatabase(t, uri)
}

// NewDatabase makes up a database on a server and drops it in the end.
func NewDatabase(t testing.TB, uri string) string {
	t.Helper()
	u, err := url.Parse(uri)
	if err != nil {
		t.Fatal("the address of MongoDB cannot be read as a URL")
	}
	name := "compat_" + strings.ToLower(rand.Text()[:12])
	u.Path = "/" + name
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		client, err := mongo.Connect(options.Client().ApplyURI(u.String()))
		if err == nil {
			err = client.Database(name).Drop(ctx)
			_ = client.Disconnect(ctx) // the process ends soon
		}
		if err != nil {
			t.Errorf("drop database %s: %v", name, err)
		}
	})
	return u.String()
}

// shared is a mongod that the tests of a process use together, each with a
// database of its own.
var shared struct {
	sync.Mutex
	server *Mongod
}

func commonMongod(t testing.TB) *Mongod {
	t.Helper()
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		dir, err := os.MkdirTemp("", "mongod-*")
		if err != nil {
			t.Fatal(err)
		}
		server := newMongod(t, dir)
		server.Start(t)
		shared.server = server
	}
	return shared.server
}

// StopMongo ends the mongod that the tests shared, and removes its data.
func StopMongo() error {
	shared.Lock()
	defer shared.Unlock()
	if shared.server == nil {
		return nil
	}
	shared.server.Kill()
	return os.RemoveAll(shared.server.dir)
}
