package sqlite

import (
	"context"
	"fmt"
)

// schemaVersion is kept in the file; a file of another version is refused,
// because a projection is rebuilt rather than migrated.
const schemaVersion = 2

// Every table holds all generations side by side, so that one statement can
// find the live one and read it. generation lists the live one and at most one
// that is being built, and numbers are never used again; rows of any other were
// left by a crash.
//
// What a document costs must not depend on how many there are. Bodies, which
// are big, are appended in the order in which they come. Only the short rows of
// place, where ids may be random, are written all over the table. Rows of list
// are appended to their list, which is named by a digest of 16 bytes.
const schema = `
CREATE TABLE generation (
	gen  INTEGER PRIMARY KEY AUTOINCREMENT,
	live INTEGER NOT NULL
);
CREATE UNIQUE INDEX generation_live ON generation (live);
INSERT INTO generation (gen, live) VALUES (1, 1);

CREATE TABLE document (
	row        INTEGER PRIMARY KEY,
	gen        INTEGER NOT NULL,
	kind       TEXT    NOT NULL,
	id         TEXT    NOT NULL,
	seq        INTEGER NOT NULL,
	at         INTEGER NOT NULL,
	until      INTEGER NOT NULL,
	keys       TEXT    NOT NULL,
	dictionary INTEGER NOT NULL,
	body       BLOB    NOT NULL
);
CREATE INDEX document_until ON document (until) WHERE until < 9223372036854775807;

CREATE TABLE place (
	gen  INTEGER NOT NULL,
	kind TEXT    NOT NULL,
	id   TEXT    NOT NULL,
	seq  INTEGER NOT NULL,
	row  INTEGER NOT NULL,
	PRIMARY KEY (gen, kind, id)
) WITHOUT ROWID;

CREATE TABLE list (
	gen   INTEGER NOT NULL,
	list  BLOB    NOT NULL,
	at    INTEGER NOT NULL,
	row   INTEGER NOT NULL,
	until INTEGER NOT NULL,
	PRIMARY KEY (gen, list, at, row)
) WITHOUT ROWID;

CREATE TABLE dictionary (
	id   INTEGER PRIMARY KEY AUTOINCREMENT,
	gen  INTEGER NOT NULL,
	kind TEXT    NOT NULL,
	body BLOB    NOT NULL,
	UNIQUE (gen, kind)
);
`

// terms is made in files of before too: it holds nothing that they would miss.
const terms = `
CREATE TABLE IF NOT EXISTS term (
	gen  INTEGER NOT NULL,
	kind TEXT    NOT NULL,
	term TEXT    NOT NULL,
	row  INTEGER NOT NULL,
	PRIMARY KEY (gen, kind, term, row)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS term_row ON term (row);
`

// prepare makes the tables in a new file. The transaction takes the write lock
// first, so of several processes one makes them and the others find them.
func prepare(ctx context.Context, c *connection) error {
	return c.transact(ctx, func(ctx context.Context) error {
		var version int
		if err := c.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return fmt.Errorf("read schema version: %w", err)
		}
		switch version {
		case schemaVersion:
			if _, err := c.ExecContext(ctx, terms); err != nil {
				return fmt.Errorf("create tables: %w", err)
			}
			return nil
		case 0:
			_, err := c.ExecContext(ctx, schema+terms+fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion))
			if err != nil {
				return fmt.Errorf("create tables: %w", err)
			}
			return nil
		}
		return fmt.Errorf("schema version is %d, not %d: remove the file and rebuild the projection", version, schemaVersion)
	})
}
