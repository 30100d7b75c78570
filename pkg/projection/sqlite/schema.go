package sqlite

import (
	"context"
	"database/sql"
	"fmt"
)

// schemaVersion is kept in the file; a file of another version is refused,
// because a projection is rebuilt rather than migrated.
const schemaVersion = 1

// Every table holds all generations side by side, so that one statement can
// find the live one and read it. generation lists the live one and at most one
// that is being built, and numbers are never used again; rows of any other are
// rubbish that a crash left.
const schema = `
CREATE TABLE generation (
	gen  INTEGER PRIMARY KEY AUTOINCREMENT,
	live INTEGER NOT NULL
);
CREATE UNIQUE INDEX generation_live ON generation (live);
INSERT INTO generation (gen, live) VALUES (1, 1);

CREATE TABLE document (
	gen     INTEGER NOT NULL,
	kind    TEXT    NOT NULL,
	id      TEXT    NOT NULL,
	seq     INTEGER NOT NULL,
	at      INTEGER NOT NULL,
	keys    TEXT    NOT NULL,
	uniques TEXT    NOT NULL,
	body    BLOB    NOT NULL,
	PRIMARY KEY (gen, kind, id)
);
CREATE INDEX document_at ON document (gen, kind, at DESC, id);

CREATE TABLE list_key (
	gen   INTEGER NOT NULL,
	kind  TEXT    NOT NULL,
	name  TEXT    NOT NULL,
	value TEXT    NOT NULL,
	at    INTEGER NOT NULL,
	id    TEXT    NOT NULL,
	PRIMARY KEY (gen, kind, name, value, at DESC, id)
) WITHOUT ROWID;

CREATE TABLE unique_key (
	gen   INTEGER NOT NULL,
	kind  TEXT    NOT NULL,
	name  TEXT    NOT NULL,
	value TEXT    NOT NULL,
	id    TEXT    NOT NULL,
	PRIMARY KEY (gen, kind, name, value)
) WITHOUT ROWID;
`

// prepare makes the tables in a new file. The transaction takes the write lock
// first, so of several processes one makes them and the others find them.
func prepare(ctx context.Context, db *sql.DB) error {
	return inTx(ctx, db, func(ctx context.Context, tx *sql.Tx) error {
		var version int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return fmt.Errorf("read schema version: %w", err)
		}
		switch version {
		case schemaVersion:
			return nil
		case 0:
			_, err := tx.ExecContext(ctx, schema+fmt.Sprintf("PRAGMA user_version = %d;", schemaVersion))
			if err != nil {
				return fmt.Errorf("create tables: %w", err)
			}
			return nil
		}
		return fmt.Errorf("schema version is %d, not %d: remove the file and rebuild the projection", version, schemaVersion)
	})
}

// inTx runs do in a transaction that is committed when do returns nil. ctx
// bounds the wait for the connection; what follows takes milliseconds, and
// watching ctx meanwhile would cost the driver a goroutine for each statement.
func inTx(ctx context.Context, db *sql.DB, do func(ctx context.Context, tx *sql.Tx) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer conn.Close()
	ctx = context.WithoutCancel(ctx)
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := do(ctx, tx); err != nil {
		_ = tx.Rollback() // the first error is the one that tells
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}
