// Package ipc356 reads bare-board test netlists: IPC-D-356 and IPC-D-356A.
//
// The format is one of fixed columns, one record a line. Every test point says
// its net, its pin, where it is, how large its pad is and what hole it has.
// Outline records (389) give the shape of the board. Long net names hide behind
// aliases (P NNAME) and are brought back.
package ipc356
