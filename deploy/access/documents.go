package access

import (
	"bytes"
	"fmt"
	"strings"
)

// DocumentsVariable is the environment variable that holds a MongoDB user's password.
func DocumentsVariable(user string) string {
	return "MONGO_" + strings.ToUpper(strings.ReplaceAll(user, "-", "_")) + "_PASSWORD"
}

// roles are MongoDB's, of one database.
var roles = map[Documents]string{ReadDocuments: "read", WriteDocuments: "readWrite"}

// DocumentUsers writes the script with which mongosh makes or corrects the users
// of the projection's database. The image runs it when it makes a database; it
// may be run again at any time.
func DocumentUsers() []byte {
	var out bytes.Buffer
	fmt.Fprint(&out, `// Generated from deploy/access by make generate; change it there.
const users = {
`)
	for _, p := range Programs() {
		if role := roles[p.Documents]; role != "" {
			fmt.Fprintf(&out, "  %q: {role: %q, password: process.env.%s},\n", p.Name, role, DocumentsVariable(p.Name))
		}
	}
	fmt.Fprint(&out, `};
const projection = db.getSiblingDB('boardorder');
for (const [name, {role, password}] of Object.entries(users)) {
  if (!password) {
    throw new Error('no password is given for ' + name);
  }
  const user = {pwd: password, roles: [{role: role, db: 'boardorder'}]};
  if (projection.getUser(name)) {
    projection.updateUser(name, user);
  } else {
    projection.createUser({user: name, ...user});
  }
}
`)
	return out.Bytes()
}
