package access

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// DocumentsVariable is the environment variable that holds a MongoDB user's password.
func DocumentsVariable(user string) string {
	return "MONGO_" + strings.ToUpper(strings.ReplaceAll(user, "-", "_")) + "_PASSWORD"
}

// DocumentsDatabase is the database of the projection.
const DocumentsDatabase = "boardorder"

// generationsCollection is where pkg/projection/mongo keeps which generation is live.
const generationsCollection = "generations"

// Rebuilds is how many rebuilds the roles reach ahead: a generation's collections are
// named with its number, and a role names collections. After as many the script is run
// again; a rebuild that it does not reach refuses to begin.
const Rebuilds = 50

// What is done in a collection, in MongoDB's words.
var (
	readActions  = []string{"find"}
	writeActions = []string{"insert", "update", "remove", "createIndex", "listIndexes"}
)

// collections are a role's actions by kind of document.
func (d Documents) collections() map[string][]string {
	actions := map[string][]string{}
	for _, kind := range d.Read {
		actions[kind] = append(actions[kind], readActions...)
	}
	for _, kind := range d.Write {
		actions[kind] = append(actions[kind], writeActions...)
	}
	return actions
}

// DocumentScript writes the script with which mongosh makes or corrects the roles and
// users of the projection's database: a role for each program, which names what it
// does in each collection. The image runs it when it makes a database; it may be run
// again at any time.
func DocumentScript() []byte {
	var out bytes.Buffer
	fmt.Fprint(&out, `// Generated from deploy/access by make generate; change it there.
const users = {
`)
	for _, p := range Services() {
		actions, err := json.Marshal(p.Documents.collections())
		if err != nil {
			panic(err) // strings only
		}
		fmt.Fprintf(&out, "  %q: {writes: %t, password: process.env.%s, actions: %s},\n", p.Name, len(p.Documents.Write) > 0, DocumentsVariable(p.Name), actions)
	}
	fmt.Fprintf(&out, `};
const database = %q;
const projection = db.getSiblingDB(database);
// Collections are g<generation>.<kind>: from the oldest that is in use to those of the next rebuilds.
const state = projection.getCollection(%q).findOne() ?? {};
const inUse = [state.live, state.building, state.retiring].map((n) => Number(String(n ?? 0))).filter((n) => n > 0);
const first = Math.min(...inUse, Number(String(state.next ?? 2)));
const end = Number(String(state.next ?? 2)) + %d;
for (const [name, {writes, password, actions}] of Object.entries(users)) {
  if (!password) {
    throw new Error('no password is given for ' + name);
  }
  const privileges = [{resource: {db: database, collection: %q}, actions: writes ? ['find', 'insert', 'update', 'remove'] : ['find']}];
  for (let generation = state.live ? first : 1; generation < end; generation++) {
    for (const [kind, may] of Object.entries(actions)) {
      privileges.push({resource: {db: database, collection: 'g' + generation + '.' + kind}, actions: may});
    }
  }
  if (writes) { // and drops what generations before left
    privileges.push({resource: {db: database, collection: ''}, actions: ['listCollections', 'dropCollection']});
  }
  const role = {privileges: privileges, roles: []};
  if (projection.getRole(name)) {
    projection.updateRole(name, role);
  } else {
    projection.createRole({role: name, ...role});
  }
  const user = {pwd: password, roles: [{role: name, db: database}]};
  if (projection.getUser(name)) {
    projection.updateUser(name, user);
  } else {
    projection.createUser({user: name, ...user});
  }
}
`, DocumentsDatabase, generationsCollection, Rebuilds, generationsCollection)
	return out.Bytes()
}
