package access

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
)

// TestConfine: where one process holds all programs, each reaches of the stores what its
// users of production reach: by kind of document and by prefix and action.
func TestConfine(t *testing.T) {
	t.Parallel()
	docs, err := sqlite.Open(t.Context(), t.TempDir()+"/docs.db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = docs.Close() })
	files, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Services() {
		d, f := Confine(p.Name, docs, files)
		hold := func(what string, err error, may bool) {
			t.Helper()
			if errors.Is(err, ErrRefused) == may {
				t.Errorf("%s %s: %v, want that it may: %t", p.Name, what, err, may)
			}
		}
		for _, kind := range append(registry.DocumentKinds(), "of-nobody") {
			reads := slices.Contains(p.Documents.Read, kind) || len(p.Documents.Write) > 0
			_, err := d.Get(t.Context(), kind, "a")
			hold("gets "+kind, err, reads)
			_, _, err = d.List(t.Context(), kind, "account", "x", projection.Page{})
			hold("lists "+kind, err, reads)
			_, err = d.Count(t.Context(), kind, "account", "x")
			hold("counts "+kind, err, reads)
			_, err = d.Find(t.Context(), kind, "x", 1)
			hold("finds "+kind, err, reads)
			doc := projection.Document{Kind: kind, ID: p.Name, Seq: 1, At: time.Unix(1, 0), Body: []byte("{}")}
			hold("puts "+kind, d.Put(t.Context(), doc), len(p.Documents.Write) > 0)
		}
		for _, prefix := range []string{uploads.StagingPrefix, uploads.Prefix, boards.Prefix, formal.Prefix, "other/"} {
			_, _, err := f.Get(t.Context(), prefix+"a")
			hold("gets below "+prefix, err, slices.Contains(p.Files.Read, prefix))
			_, err = f.Stat(t.Context(), prefix+"a")
			hold("looks below "+prefix, err, slices.Contains(p.Files.Read, prefix))
			_, err = f.Put(t.Context(), prefix+p.Name, strings.NewReader("x"), 1, "text/plain")
			hold("puts below "+prefix, err, slices.Contains(p.Files.Put, prefix))
			hold("deletes below "+prefix, f.Delete(t.Context(), prefix+p.Name), slices.Contains(p.Files.Delete, prefix))
			err = nil
			for _, e := range f.List(t.Context(), prefix) {
				err = errors.Join(err, e)
			}
			hold("lists "+prefix, err, slices.Contains(p.Files.Read, prefix))
		}
		for _, e := range f.List(t.Context(), "") {
			hold("lists all", e, false)
		}
		if err := errors.Join(d.Ping(t.Context()), f.Ping(t.Context())); err != nil {
			t.Errorf("%s reaches its stores: %v", p.Name, err)
		}
	}
	if d, f := Confine("standalone", docs, files); d != projection.Store(docs) || f != blob.Store(files) {
		t.Errorf("Confine of %q gives %v and %v, want both stores as they are: it is no program of the table", "standalone", d, f)
	}
}

// TestRightsAreNarrow: those who take in what strangers send reach neither what the team
// knows nor what others made of it.
func TestRightsAreNarrow(t *testing.T) {
	t.Parallel()
	for _, p := range Services() {
		team := slices.ContainsFunc(p.Documents.Read, func(kind string) bool {
			return slices.Contains(kinds(contract.AccountAggregate, contract.AuditAggregate, contract.CaseAggregate, contract.ErasureAggregate, contract.InvoiceBookAggregate), kind)
		})
		if team && p.Name != "console" && p.Name != "projector" {
			t.Errorf("%s reads what is the team's", p.Name)
		}
		if p.Name == "edge" && slices.Contains(p.Files.Read, uploads.StagingPrefix) {
			t.Errorf("the edge reads %q, want without %q: what it received is not its own to read", p.Files.Read, uploads.StagingPrefix)
		}
		if central := slices.Contains(p.Files.Read, formal.Prefix); central != (p.Name == "central" || p.Name == "console") {
			t.Errorf("%s reads files of formal orders: %t, want %t", p.Name, central, p.Name == "central" || p.Name == "console")
		}
		if uploads := slices.Contains(p.Files.Put, uploads.Prefix); uploads != (p.Name == "upload") {
			t.Errorf("%s puts files of uploads: %t, want %t", p.Name, uploads, p.Name == "upload")
		}
	}
}
