// Package peers starts the foreign servers that the adapters are tested
// against, or leads to real ones.
package peers

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/FerretDB/FerretDB/ferretdb"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// StartMongo returns the URL of an empty database that lives as long as the
// test: on the server that MONGO_URI names, or on a FerretDB of its own.
func StartMongo(t testing.TB) string {
	t.Helper()
	if uri := os.Getenv("MONGO_URI"); uri != "" {
		return onServer(t, uri)
	}
	return "mongodb://" + startFerret(t) + "/" + database()
}

func database() string { return "compat_" + strings.ToLower(rand.Text()[:12]) }

// onServer makes up a database on a real server and drops it in the end.
func onServer(t testing.TB, uri string) string {
	t.Helper()
	u, err := url.Parse(uri)
	if err != nil {
		t.Fatal("MONGO_URI cannot be read as a URL with one host")
	}
	name := database()
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

// startFerret starts a FerretDB and returns the address to reach it by.
//
// Its updates are not atomic: two that match the same document at once may both
// write. A MongoDB server's are, and the adapter relies on it. So a proxy lets
// one request at a time through.
func startFerret(t testing.TB) string {
	t.Helper()
	ferret, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Logger:    slog.New(slog.DiscardHandler),
		Handler:   "sqlite",
		SQLiteURL: fmt.Sprintf("file:%s/?_pragma=synchronous(off)", t.TempDir()),
	})
	if err != nil {
		t.Fatalf("start FerretDB: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		_ = ferret.Run(ctx) // always nil
	}()
	t.Cleanup(func() {
		stop()
		<-stopped
	})
	u, err := url.Parse(ferret.MongoDBURI())
	if err != nil {
		t.Fatalf("FerretDB's address: %v", err)
	}
	return serialise(t, u.Host)
}
