package peers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

const replicaSet = "boardorder"

// A ReplicaSet is three MongoDB servers that know each other by a key file and ask
// everybody else for a password.
type ReplicaSet struct {
	Servers []*Mongod
	// RootPassword is that of the user root.
	RootPassword string
}

// StartReplicaSet starts one with the user root and further arguments, which lives as
// long as the test.
func StartReplicaSet(t testing.TB, args ...string) *ReplicaSet {
	t.Helper()
	dir := t.TempDir()
	key := filepath.Join(dir, "key")
	if err := os.WriteFile(key, []byte(rand.Text()+rand.Text()), 0o400); err != nil {
		t.Fatal(err)
	}
	s := &ReplicaSet{RootPassword: rand.Text()}
	for range 3 {
		m := newMongod(t, dir, append([]string{"--replSet", replicaSet, "--keyFile", key}, args...)...)
		m.Start(t)
		t.Cleanup(m.Kill)
		s.Servers = append(s.Servers, m)
	}
	if err := s.initiate(t.Context()); err != nil {
		t.Fatalf("initiate the replica set: %v", err)
	}
	return s
}

// initiate makes the set and its first user, which a server lets whoever reaches it
// over loopback do once.
func (s *ReplicaSet) initiate(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	client, err := mongo.Connect(options.Client().ApplyURI("mongodb://" + s.Servers[0].Addr + "/?directConnection=true"))
	if err != nil {
		return err
	}
	defer client.Disconnect(context.Background())
	admin := client.Database("admin")
	var members bson.A
	for i, m := range s.Servers {
		// The first one is preferred, so that it is the one that has the first user made.
		members = append(members, bson.D{{Key: "_id", Value: i}, {Key: "host", Value: m.Addr}, {Key: "priority", Value: []float64{2, 1, 1}[i]}})
	}
	set := bson.D{{Key: "_id", Value: replicaSet}, {Key: "members", Value: members}, {Key: "settings", Value: bson.D{{Key: "electionTimeoutMillis", Value: 3000}}}}
	if err := admin.RunCommand(ctx, bson.D{{Key: "replSetInitiate", Value: set}}).Err(); err != nil {
		return err
	}
	for {
		err := admin.RunCommand(ctx, bson.D{
			{Key: "createUser", Value: "root"}, {Key: "pwd", Value: s.RootPassword}, {Key: "roles", Value: bson.A{"root"}},
			{Key: "writeConcern", Value: bson.D{{Key: "w", Value: "majority"}}},
		}).Err()
		answer, ok := errors.AsType[mongo.ServerError](err)
		const notWritablePrimary = 10107
		if err == nil || !ok || !answer.HasErrorCode(notWritablePrimary) {
			return err
		}
	}
}

// URL is the whole set, as a user of a database, whose users are made where
// authSource says.
func (s *ReplicaSet) URL(user, password, authSource, database string) string {
	var hosts []string
	for _, m := range s.Servers {
		hosts = append(hosts, m.Addr)
	}
	u := url.URL{Scheme: "mongodb", User: url.UserPassword(user, password), Host: strings.Join(hosts, ","), Path: "/" + database}
	u.RawQuery = url.Values{"replicaSet": {replicaSet}, "authSource": {authSource}}.Encode()
	return u.String()
}

// Root is a client that may do everything. It lives as long as the test.
func (s *ReplicaSet) Root(t testing.TB) *mongo.Client {
	t.Helper()
	client, err := mongo.Connect(options.Client().ApplyURI(s.URL("root", s.RootPassword, "admin", "")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Disconnect(context.Background()) })
	return client
}

// Primary is the server that takes writes now.
func (s *ReplicaSet) Primary(ctx context.Context, root *mongo.Client) (*Mongod, error) {
	var hello struct{ Primary string }
	if err := root.Database("admin").RunCommand(ctx, bson.D{{Key: "hello", Value: 1}}).Decode(&hello); err != nil {
		return nil, err
	}
	for _, m := range s.Servers {
		if m.Addr == hello.Primary {
			return m, nil
		}
	}
	return nil, fmt.Errorf("the primary is %q", hello.Primary)
}
