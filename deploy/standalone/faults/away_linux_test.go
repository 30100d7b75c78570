package faults_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boardorder/deploy/standalone/processes"

	"golang.org/x/sys/unix"
)

// storeAway lets nobody read or write the projection: it holds every lock of the
// file that readers and writers share.
func storeAway(ctx context.Context, s *stage) error {
	f, err := os.OpenFile(strings.TrimPrefix(s.system.Ready.Env["MONGO_URI"], "sqlite:")+"-shm", os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()             // ends the locks
	const first, locks = 120, 8 // where SQLite's write-ahead log is locked, a byte for each kind
	for i := range int64(locks) {
		if err := lockByte(ctx, f, first+i); err != nil {
			return err
		}
	}
	began := time.Now()
	err = errors.Join(
		s.wantAnswer(ctx, http.MethodGet, "/v1/quotes/"+s.ledger.pickQuote(), nil),
		s.wantAnswer(ctx, http.MethodPost, "/v1/quotes?wait_s=5", s.freshRequest(fmt.Sprintf("while the store is away %d", time.Now().UnixNano()))),
	)
	wait(ctx, min(s.still, time.Minute)-time.Since(began))
	return err
}

// lockByte takes a byte's lock from all other holders, those of this process too.
func lockByte(ctx context.Context, f *os.File, at int64) error {
	for {
		err := unix.FcntlFlock(f.Fd(), unix.F_OFD_SETLK, &unix.Flock_t{Type: unix.F_WRLCK, Start: at, Len: 1})
		if err == nil || !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EACCES) {
			return err
		}
		if wait(ctx, time.Millisecond); ctx.Err() != nil {
			return fmt.Errorf("lock of the store: %w", ctx.Err())
		}
	}
}

// onSmallDisk runs a program that finds a folder on a file system of its own, of
// so many bytes: folder, bytes, program, arguments. Where it lies is seen by the
// program alone.
const onSmallDisk = `set -e
echo $$ > "$1.pid"
mkdir -p "$1.small"
mount -t tmpfs -o size="$2" tmpfs "$1.small"
cp -a "$1/." "$1.small/"
mount --bind "$1.small" "$1"
shift 2
exec "$@"`

// diskFull lets the disk of a node run full. The others go on without it; once it
// has room and was started again it catches up.
func diskFull(ctx context.Context, s *stage) error {
	if out, err := exec.CommandContext(ctx, "unshare", "-rm", "true").CombinedOutput(); err != nil {
		return fmt.Errorf("%w: unshare: %w: %s", errNotHere, err, out)
	}
	i, err := s.leader(ctx, "EVENTS_QUOTE")
	if err != nil {
		return err
	}
	node := s.system.Nodes[i]
	usual, data := node.Program, filepath.Join(s.dir, node.Name)
	if !node.Stop(20 * time.Second) {
		return fmt.Errorf("%s did not stop", node.Name)
	}
	used, err := diskUsage(data)
	if err != nil {
		return err
	}
	node.Path = "unshare"
	node.Args = append([]string{"-rm", "sh", "-c", onSmallDisk, "sh", data, strconv.FormatInt(used+(3<<20), 10), usual.Path}, usual.Args...)
	err = errors.Join(node.Start(), s.unready(ctx, node), s.askNewQuote(ctx, "while the disk of a node is full"))
	wait(ctx, s.still)
	err = errors.Join(err, takeDisk(data, node))
	node.Program = usual
	return errors.Join(err, node.Start(), s.ready(ctx))
}

// diskUsage is how much a folder takes of a file system of pages.
func diskUsage(dir string) (bytes int64, err error) {
	const page = 4096
	err = filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
		if err == nil {
			bytes += (info.Size() + 2*page - 1) / page * page
		}
		return err
	})
	return bytes, err
}

// unready waits until a program was ready and is so no more.
func (s *stage) unready(ctx context.Context, p *processes.Process) error {
	if err := p.Ready(ctx); err != nil {
		return err
	}
	for processes.Probe(ctx, p.Program.Probe) == nil {
		if wait(ctx, 100*time.Millisecond); ctx.Err() != nil {
			return fmt.Errorf("%s is ready all the time: %w", p.Name, ctx.Err())
		}
	}
	return nil
}

// takeDisk ends a program and keeps what lies on the file system that ends with it.
func takeDisk(data string, p *processes.Process) error {
	pid, err := os.ReadFile(data + ".pid")
	if err != nil {
		return err
	}
	p.Freeze()
	defer p.Kill()
	cp := exec.Command("cp", "-a", filepath.Join("/proc", strings.TrimSpace(string(pid)), "root", data)+"/.", data+".kept")
	if out, err := cp.CombinedOutput(); err != nil {
		return fmt.Errorf("copy the disk of %s: %w: %s", p.Name, err, out)
	}
	return errors.Join(os.RemoveAll(data), os.Rename(data+".kept", data))
}
