package mongo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// A server speaks as much of MongoDB's protocol as the store uses, on loopback, over documents
// in memory, so that what is sent and what becomes of each answer can be told in milliseconds.
// The suites of the store run against MongoDB itself elsewhere.
type server struct {
	t    testing.TB
	fail func(name, collection string) bson.D // an answer in place of the server's own; may be nil

	mu          sync.Mutex
	collections map[string]map[any]bson.M
	indexes     map[string][]string // first fields
	messages    []string            // command and collection
	commands    []bson.M
	estimate    int64 // of documents, where it is above none
}

// serve starts a server and opens a store on it.
func serve(t testing.TB, lease time.Duration) (*server, *Store) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, collections: map[string]map[any]bson.M{}, indexes: map[string][]string{}}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go s.answer(c)
		}
	}()
	store, err := Open("mongodb://"+l.Addr().String()+"/?retryWrites=false", Lease(lease))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		l.Close()
	})
	return s, store
}

const opReply, opQuery, opMsg = 1, 2004, 2013

// answer reads messages and answers each.
func (s *server) answer(c net.Conn) {
	defer c.Close()
	for {
		head := make([]byte, 16)
		if _, err := io.ReadFull(c, head); err != nil {
			return
		}
		body := make([]byte, binary.LittleEndian.Uint32(head)-16)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		op, prefix := opMsg, []byte{0, 0, 0, 0, 0} // flags, and a section of one document
		var command bson.D
		if binary.LittleEndian.Uint32(head[12:]) == opQuery { // a first hello
			command, op, prefix = bson.D{{Key: "hello", Value: 1}}, opReply, append(make([]byte, 16), 1, 0, 0, 0)
		} else {
			command = read(s.t, body[4:])
		}
		s.mu.Lock()
		reply, err := bson.Marshal(s.run(command))
		s.mu.Unlock()
		if err != nil {
			s.t.Errorf("%v is answered by what cannot be written: %v", command, err)
			return
		}
		out := binary.LittleEndian.AppendUint32(nil, uint32(16+len(prefix)+len(reply)))
		out = append(append(out, 0, 0, 0, 0), head[4:8]...)
		out = binary.LittleEndian.AppendUint32(out, uint32(op))
		if _, err := c.Write(append(append(out, prefix...), reply...)); err != nil {
			return
		}
	}
}

// read joins the sections of a message.
func read(t testing.TB, sections []byte) (command bson.D) {
	for len(sections) > 0 {
		kind, rest := sections[0], sections[1:]
		size := binary.LittleEndian.Uint32(rest)
		section := rest[:size]
		sections = rest[size:]
		if kind == 0 {
			if err := bson.Unmarshal(section, &command); err != nil {
				t.Error(err)
			}
			continue
		}
		name, list, _ := bytes.Cut(section[4:], []byte{0})
		var documents bson.A
		for len(list) > 0 {
			var d bson.D
			n := binary.LittleEndian.Uint32(list)
			if err := bson.Unmarshal(list[:n], &d); err != nil {
				t.Error(err)
			}
			documents, list = append(documents, d), list[n:]
		}
		command = append(command, bson.E{Key: string(name), Value: documents})
	}
	return command
}

func plain(d any) bson.M {
	m := bson.M{}
	if d, ok := d.(bson.D); ok {
		for _, e := range d {
			m[e.Key] = e.Value
		}
	}
	return m
}

var done = bson.D{{Key: "ok", Value: 1}}

func cursorOf(collection string, batch bson.A) bson.D {
	batch = append(bson.A{}, batch...) // an array, where there is nothing, too
	return bson.D{{Key: "ok", Value: 1}, {Key: "cursor", Value: bson.D{{Key: "id", Value: int64(0)}, {Key: "ns", Value: "projection." + collection}, {Key: "firstBatch", Value: batch}}}}
}

func refuse(code int) bson.D {
	return bson.D{{Key: "ok", Value: 0}, {Key: "code", Value: code}, {Key: "errmsg", Value: fmt.Sprint("refused by ", code)}}
}

func writeError(code int) bson.D {
	return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: 0}, {Key: "writeErrors", Value: bson.A{bson.D{{Key: "index", Value: 0}, {Key: "code", Value: code}, {Key: "errmsg", Value: fmt.Sprint("refused by ", code)}}}}}
}

func (s *server) run(command bson.D) bson.D {
	name, m := command[0].Key, plain(command)
	collection, _ := command[0].Value.(string)
	if name == "hello" || name == "isMaster" || name == "endSessions" {
		return bson.D{{Key: "ok", Value: 1}, {Key: "isWritablePrimary", Value: true}, {Key: "ismaster", Value: true}, {Key: "helloOk", Value: true}, {Key: "maxBsonObjectSize", Value: 16 << 20},
			{Key: "maxMessageSizeBytes", Value: 48_000_000}, {Key: "maxWriteBatchSize", Value: 100_000}, {Key: "minWireVersion", Value: 0}, {Key: "maxWireVersion", Value: 21}}
	}
	s.messages, s.commands = append(s.messages, strings.TrimSpace(name+" "+collection)), append(s.commands, m)
	if s.fail != nil {
		if answer := s.fail(name, collection); answer != nil {
			return answer
		}
	}
	there := s.collections[collection]
	switch name {
	case "find":
		return cursorOf(collection, find1(there, plain(m["filter"])["_id"]))
	case "insert":
		n := 0
		for _, d := range m["documents"].(bson.A) {
			id := plain(d)["_id"]
			if _, taken := there[id]; taken {
				return writeError(11000)
			}
			s.put(collection, id, plain(d))
			n++
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: n}}
	case "update":
		return s.update(collection, m["updates"].(bson.A))
	case "delete":
		n := 0
		for _, d := range m["deletes"].(bson.A) {
			id := plain(plain(d)["q"])["_id"]
			if _, is := there[id]; is {
				delete(there, id)
				n++
			}
		}
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: n}}
	case "drop":
		delete(s.collections, collection)
		return done
	case "listCollections":
		var names bson.A
		for _, n := range slices.Sorted(maps.Keys(s.collections)) {
			names = append(names, bson.D{{Key: "name", Value: n}, {Key: "type", Value: "collection"}})
		}
		return cursorOf("$cmd.listCollections", names)
	case "listIndexes":
		var list bson.A
		for _, field := range s.indexes[collection] {
			list = append(list, bson.D{{Key: "v", Value: 2}, {Key: "name", Value: field}, {Key: "key", Value: bson.D{{Key: field, Value: 1}}}})
		}
		return cursorOf(collection, list)
	case "createIndexes":
		for _, x := range m["indexes"].(bson.A) {
			s.indexes[collection] = append(s.indexes[collection], plain(x)["key"].(bson.D)[0].Key)
		}
		return done
	case "count":
		return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: max(s.estimate, int64(len(there)))}}
	case "aggregate":
		return cursorOf(collection, bson.A{bson.D{{Key: "_id", Value: 1}, {Key: "n", Value: len(there)}}})
	}
	s.t.Errorf("nothing is known of the command %v", command)
	return refuse(59)
}

// find1 are documents by an id, by a list of them, or all in the order of their ids.
func find1(there map[any]bson.M, id any) (batch bson.A) {
	if in, ok := plain(id)["$in"].(bson.A); ok {
		for _, one := range in {
			batch = append(batch, find1(there, one)...)
		}
		return batch
	}
	if id != nil {
		if d, ok := there[id]; ok {
			batch = append(batch, d)
		}
		return batch
	}
	for _, key := range slices.SortedFunc(maps.Keys(there), func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) {
		batch = append(batch, there[key])
	}
	return batch
}

func (s *server) put(collection string, id any, d bson.M) {
	if s.collections[collection] == nil {
		s.collections[collection] = map[any]bson.M{}
	}
	d["_id"] = id
	s.collections[collection][id] = d
}

// update replaces or changes documents, as long as what the filter asks of them holds.
func (s *server) update(collection string, updates bson.A) bson.D {
	n, upserted, errs := 0, bson.A{}, bson.A{}
	for i, u := range updates {
		m := plain(u)
		q, change := plain(m["q"]), plain(m["u"])
		id := q["_id"]
		stored, is := s.collections[collection][id]
		matches := is
		if below, ok := plain(q["seq"])["$lt"].(int64); ok && is {
			seq, _ := stored["seq"].(int64)
			matches = seq < below
		}
		if revision, ok := q["revision"]; ok && is {
			matches = stored["revision"] == revision
		}
		switch {
		case !matches && m["upsert"] == true && is:
			errs = append(errs, bson.D{{Key: "index", Value: i}, {Key: "code", Value: 11000}, {Key: "errmsg", Value: "it is there"}})
			continue
		case !matches && m["upsert"] != true:
			continue
		case !matches:
			stored = bson.M{}
			upserted = append(upserted, bson.D{{Key: "index", Value: i}, {Key: "_id", Value: id}})
		}
		n++
		set, inc := plain(change["$set"]), plain(change["$inc"])
		if len(set)+len(inc) == 0 {
			stored = change
		}
		maps.Copy(stored, set)
		for field, by := range inc {
			before, _ := stored[field].(int64)
			stored[field] = before + by.(int64)
		}
		s.put(collection, id, stored)
	}
	return bson.D{{Key: "ok", Value: 1}, {Key: "n", Value: n}, {Key: "nModified", Value: n - len(upserted)}, {Key: "upserted", Value: upserted}, {Key: "writeErrors", Value: errs}}
}

// disturb sets what is answered in place of the server's own answers.
func (s *server) disturb(by func(name, collection string) bson.D) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = by
}

// sayings are the commands since the last call.
func (s *server) sayings() (messages []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	messages, s.messages = s.messages, nil
	return messages
}
