// Package compound reads Compound File Binary files, the containers of folders and
// streams that older Windows programs store.
//
// It is strict and bounded: no chain of sectors is followed further than the file is
// long, folders are visited once, and a stream is never longer than the file.
package compound
