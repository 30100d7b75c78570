// Package worker runs work on foreign bytes in processes that may die.
//
// A worker is the same program started again. It has no environment, no
// descriptors but its pipes, hard limits of memory, processor time and time,
// and no way to open files or connections or to start programs. Where the
// platform cannot take these away a pool does not open, unless it is told that
// it is for development. A worker does one job at a time and is kept warm for
// the next one.
// A worker that dies or exceeds a limit fails its job with [ErrDied],
// [ErrMemory] or [ErrTime]; the pool starts another in its place.
//
// A program takes part by calling [Main] first of all. What a worker sends is
// as foreign as what it was sent: the pool bounds it, and who started the job
// has to check it.
package worker
