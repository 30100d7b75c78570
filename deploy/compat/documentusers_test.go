package compat_test

import (
	"errors"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/access"
	"boardorder/deploy/compat/peers"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// projectionDatabase is the database of Compose and Kubernetes.
const projectionDatabase = access.DocumentsDatabase

// documentUsers are those that the script makes, on a replica set.
type documentUsers struct {
	set       *peers.ReplicaSet
	passwords map[string]string
	shell     string
}

func makeDocumentUsers(t *testing.T) documentUsers {
	t.Helper()
	shell := os.Getenv("MONGOSH")
	if shell == "" {
		t.Skip("no mongosh: make test-mongodb fetches one, or MONGOSH names one")
	}
	u := documentUsers{set: peers.StartReplicaSet(t), passwords: map[string]string{}, shell: shell}
	u.run(t, "first")
	return u
}

// run runs the script with passwords of a generation.
func (u documentUsers) run(t *testing.T, generation string) {
	t.Helper()
	var env []string
	for _, p := range access.Programs() {
		u.passwords[p.Name] = generation + "-password-of-" + p.Name
		env = append(env, access.DocumentsVariable(p.Name)+"="+u.passwords[p.Name])
	}
	cmd := exec.CommandContext(t.Context(), u.shell, "--quiet", "--norc", u.set.URL("root", u.set.RootPassword, "admin", "admin"), rootPath(t, "deploy/mongodb/users.js"))
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("users.js: %v\n%s", err, out)
	}
}

// Users that the script of deploy/access makes may do what their programs do, through
// the adapter that they use, and nothing else. The script is run by MongoDB's own shell.
func TestDocumentUsers(t *testing.T) {
	t.Parallel()
	users := makeDocumentUsers(t)
	set := users.set
	users.run(t, "second") // it may be done again at any time
	passwords := users.passwords
	// The projector begins: a generation is there once it has.
	put := projection.Document{Kind: "quote", ID: "a", Seq: 1, At: time.Unix(1, 0).UTC(), Keys: map[string]string{"account": "x"}, Body: []byte(`{}`)}
	if err := openStore(t, set.URL("projector", passwords["projector"], projectionDatabase, projectionDatabase)).Put(t.Context(), put); err != nil {
		t.Fatal(err)
	}
	for _, p := range access.Programs() {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			address := set.URL(p.Name, passwords[p.Name], projectionDatabase, projectionDatabase)
			if !slices.ContainsFunc(access.Services(), func(u access.Program) bool { return u.Name == p.Name }) {
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

// projector opens the store of the one that writes.
func (u documentUsers) projector(t *testing.T) *mongo.Store {
	t.Helper()
	return openStore(t, u.set.URL("projector", u.passwords["projector"], projectionDatabase, projectionDatabase))
}

// TestRolesReachRebuilds: roles name collections of generations to come. A rebuild that
// they do not reach refuses to begin, and hinders nobody; once the script ran again they
// reach on, and still to what is live.
func TestRolesReachRebuilds(t *testing.T) {
	t.Parallel()
	users := makeDocumentUsers(t)
	store := users.projector(t)
	doc := projection.Document{Kind: "quote", ID: "a", Seq: 1, At: time.Unix(1, 0).UTC(), Keys: map[string]string{"account": "x"}, Body: []byte(`{}`)}
	if err := store.Put(t.Context(), doc); err != nil {
		t.Fatal(err)
	}
	rebuild := func() error {
		fresh, err := store.Rebuild(t.Context())
		if err != nil {
			return err
		}
		return errors.Join(fresh.Put(t.Context(), doc), fresh.Swap(t.Context()))
	}
	if err := rebuild(); err != nil {
		t.Fatal(err)
	}
	generations := users.set.Root(t).Database(projectionDatabase).Collection("generations")
	// As after as many rebuilds as the roles reach: generation 1, and these.
	last := bson.D{{Key: "$set", Value: bson.D{{Key: "next", Value: int64(2 + access.Rebuilds)}}}, {Key: "$inc", Value: bson.D{{Key: "revision", Value: 1}}}}
	if _, err := generations.UpdateOne(t.Context(), bson.D{{Key: "_id", Value: "projection"}}, last); err != nil {
		t.Fatal(err)
	}
	if err := rebuild(); err == nil || !strings.Contains(err.Error(), "users may have to run again") {
		t.Fatalf("a rebuild that no role reaches: %v", err)
	}
	newer := doc
	newer.Seq++
	if err := store.Put(t.Context(), newer); err != nil {
		t.Errorf("the live generation is hindered by a rebuild that was refused: %v", err)
	}
	users.run(t, "second")
	store = users.projector(t)
	if err := rebuild(); err != nil {
		t.Errorf("after the script ran again: %v", err)
	}
	reader := openStore(t, users.set.URL("edge", users.passwords["edge"], projectionDatabase, projectionDatabase))
	if got, err := reader.Get(t.Context(), "quote", "a"); err != nil || got.Seq == 0 {
		t.Errorf("edge reads of what was rebuilt: %v", err)
	}
}

// holdDocuments tries what the adapter does, with each kind of documents.
func holdDocuments(t *testing.T, store *mongo.Store, p access.Program) {
	t.Helper()
	ctx, writes := t.Context(), len(p.Documents.Write) > 0
	if err := store.Ping(ctx); err != nil {
		t.Errorf("Ping = %v", err)
	}
	for _, kind := range append(registry.DocumentKinds(), "of-nobody") {
		reads := slices.Contains(p.Documents.Read, kind)
		_, got := store.Get(ctx, kind, "none")
		_, _, listed := store.List(ctx, kind, "account", "x", projection.Page{})
		_, counted := store.Count(ctx, kind, "account", "x")
		_, found := store.Find(ctx, kind, "x", 1)
		if errors.Is(got, projection.ErrNotFound) {
			got = nil
		}
		for what, err := range map[string]error{"Get": got, "List": listed, "Count": counted, "Find": found} {
			if refused := isUnauthorized(err); refused == reads || err != nil && !refused {
				t.Errorf("%s of %s: %v, want that it is allowed: %t", what, kind, err, reads)
			}
		}
		own := projection.Document{Kind: kind, ID: "of-" + p.Name, Seq: 1, At: time.Unix(1, 0).UTC(), Body: []byte(`{}`)}
		if err, may := store.Put(ctx, own), slices.Contains(p.Documents.Write, kind); (err == nil) != may || errors.Is(err, projection.ErrUnavailable) {
			t.Errorf("Put of %s = %v, want %t", kind, err, may)
		}
	}
	if !writes {
		return
	}
	fresh, err := store.Rebuild(ctx)
	if err != nil {
		t.Fatalf("Rebuild = %v", err)
	}
	own := projection.Document{Kind: "order", ID: "b", Seq: 1, At: time.Unix(1, 0).UTC(), Body: []byte(`{}`)}
	if err := errors.Join(fresh.Put(ctx, own), fresh.Discard(ctx)); err != nil {
		t.Errorf("rebuild: %v", err)
	}
}

func isUnauthorized(err error) bool {
	const unauthorized = 13
	answer, ok := errors.AsType[driver.ServerError](err)
	return ok && answer.HasErrorCode(unauthorized)
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
	read, written := "g1.case", "g1.order" // of what most programs neither read nor write
	if slices.Contains(p.Documents.Read, "case") {
		read = "of-nobody"
	}
	if slices.Contains(p.Documents.Write, "order") {
		written = "of-nobody"
	}
	for what, command := range map[string]struct {
		db *driver.Database
		do bson.D
	}{
		"read a collection":      {own, bson.D{{Key: "find", Value: read}}},
		"look up from another":   {own, bson.D{{Key: "aggregate", Value: "generations"}, {Key: "pipeline", Value: bson.A{bson.D{{Key: "$lookup", Value: bson.D{{Key: "from", Value: read}, {Key: "pipeline", Value: bson.A{}}, {Key: "as", Value: "x"}}}}}}, {Key: "cursor", Value: bson.D{}}}},
		"delete from one":        {own, bson.D{{Key: "delete", Value: written}, {Key: "deletes", Value: bson.A{bson.D{{Key: "q", Value: bson.D{}}, {Key: "limit", Value: 0}}}}}},
		"rename one":             {admin, bson.D{{Key: "renameCollection", Value: projectionDatabase + ".g1.quote"}, {Key: "to", Value: projectionDatabase + ".of-nobody"}}},
		"widen a role":           {own, bson.D{{Key: "updateRole", Value: p.Name}, {Key: "privileges", Value: bson.A{}}, {Key: "roles", Value: bson.A{"readWrite"}}}},
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
		if err := command.db.RunCommand(t.Context(), command.do).Err(); !isUnauthorized(err) {
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
