package compat_test

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"testing"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/compat/peers"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// projectionDatabase is the database of Compose and Kubernetes, which the script names.
const projectionDatabase = "boardorder"

// Users that the script of deploy/access makes may do what their programs do, through
// the adapter that they use, and nothing else. The script is run by MongoDB's own shell.
func TestDocumentUsers(t *testing.T) {
	t.Parallel()
	shell := os.Getenv("MONGOSH")
	if shell == "" {
		t.Skip("no mongosh: make test-mongodb fetches one, or MONGOSH names one")
	}
	set := peers.StartReplicaSet(t)
	passwords := map[string]string{}
	// Made, then changed: it may be done again at any time.
	for _, generation := range []string{"first", "second"} {
		var env []string
		for _, p := range access.Programs() {
			passwords[p.Name] = generation + "-password-of-" + p.Name
			env = append(env, access.DocumentsVariable(p.Name)+"="+passwords[p.Name])
		}
		cmd := exec.CommandContext(t.Context(), shell, "--quiet", "--norc", set.URL("root", set.RootPassword, "admin", "admin"), rootPath(t, "deploy/mongodb/users.js"))
		cmd.Env = append(os.Environ(), env...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("users.js: %v\n%s", err, out)
		}
	}
	// The projector begins: a generation is there once it has.
	put := projection.Document{Kind: "quote", ID: "a", Seq: 1, At: time.Unix(1, 0).UTC(), Keys: map[string]string{"account": "x"}, Body: []byte(`{}`)}
	if err := openStore(t, set.URL("projector", passwords["projector"], projectionDatabase, projectionDatabase)).Put(t.Context(), put); err != nil {
		t.Fatal(err)
	}
	for _, p := range access.Programs() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			address := set.URL(p.Name, passwords[p.Name], projectionDatabase, projectionDatabase)
			if p.Documents == access.NoDocuments {
				if err := openStore(t, address).Ping(t.Context()); err == nil {
					t.Error("a program without documents has a user")
				}
				return
			}
			holdDocuments(t, openStore(t, address), p)
			holdServer(t, address, p)
		})
	}
}

// holdDocuments tries what the adapter does.
func holdDocuments(t *testing.T, store *mongo.Store, p access.Program) {
	t.Helper()
	ctx, writes := t.Context(), p.Documents == access.WriteDocuments
	if err := store.Ping(ctx); err != nil {
		t.Errorf("Ping = %v", err)
	}
	if _, err := store.Get(ctx, "quote", "a"); err != nil {
		t.Errorf("Get = %v", err)
	}
	if docs, _, err := store.List(ctx, "quote", "account", "x", projection.Page{}); err != nil || len(docs) != 1 {
		t.Errorf("List = %d, %v; want 1", len(docs), err)
	}
	own := projection.Document{Kind: "of-" + p.Name, ID: "b", Seq: 1, At: time.Unix(1, 0).UTC(), Body: []byte(`{}`)}
	if err := store.Put(ctx, own); (err == nil) != writes || errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Put = %v, want %t", err, writes)
	}
	if !writes {
		return
	}
	fresh, err := store.Rebuild(ctx)
	if err != nil {
		t.Fatalf("Rebuild = %v", err)
	}
	if err := errors.Join(fresh.Put(ctx, own), fresh.Discard(ctx)); err != nil {
		t.Errorf("rebuild: %v", err)
	}
}

// holdServer tries what no program does.
func holdServer(t *testing.T, address string, p access.Program) {
	t.Helper()
	client, err := driver.Connect(options.Client().ApplyURI(address))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Disconnect(t.Context())
	own, admin := client.Database(projectionDatabase), client.Database("admin")
	for what, command := range map[string]struct {
		db *driver.Database
		do bson.D
	}{
		"read another database":  {client.Database("other"), bson.D{{Key: "find", Value: "x"}}},
		"write another database": {client.Database("other"), bson.D{{Key: "insert", Value: "x"}, {Key: "documents", Value: bson.A{bson.D{{Key: "a", Value: 1}}}}}},
		"read the users":         {admin, bson.D{{Key: "find", Value: "system.users"}}},
		"list databases":         {admin, bson.D{{Key: "listDatabases", Value: 1}, {Key: "authorizedDatabases", Value: false}}},
		"make a user":            {own, bson.D{{Key: "createUser", Value: "other"}, {Key: "pwd", Value: "x"}, {Key: "roles", Value: bson.A{"read"}}}},
		"change a password":      {own, bson.D{{Key: "updateUser", Value: "projector"}, {Key: "pwd", Value: "x"}}},
		"take a role":            {own, bson.D{{Key: "grantRolesToUser", Value: p.Name}, {Key: "roles", Value: bson.A{"dbOwner"}}}},
		"stop the server":        {admin, bson.D{{Key: "shutdown", Value: 1}}},
		"drop the database":      {own, bson.D{{Key: "dropDatabase", Value: 1}}},
		"profile":                {own, bson.D{{Key: "profile", Value: 2}}},
	} {
		const unauthorized = 13
		err := command.db.RunCommand(t.Context(), command.do).Err()
		answer, ok := errors.AsType[driver.ServerError](err)
		if !ok || !answer.HasErrorCode(unauthorized) {
			t.Errorf("%s: %v, want that it is not allowed", what, err)
		}
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(p.Name, "wrong")
	if err := openStore(t, u.String()).Ping(t.Context()); err == nil {
		t.Error("a wrong password is taken")
	}
}
