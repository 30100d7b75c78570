package worker

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// A kind says what a frame holds.
type kind byte

const (
	hello    kind = iota + 1 // settings of a worker
	ready                    // what the worker has confined itself to
	ask                      // a job
	file                     // a file of the job begins, or one that was made
	data                     // a part of it
	endFile                  // it is complete
	endFiles                 // no more files
	step                     // progress
	entry                    // a log entry
	done                     // how the job ended
	kinds
)

const (
	headerSize = 5
	maxMessage = 16 << 20 // of a frame, in bytes
	chunk      = 64 << 10 // of a file, in bytes
)

// writeFrame writes one frame: its kind, its length in four bytes, its content.
func writeFrame(w io.Writer, k kind, content []byte) error {
	if len(content) > maxMessage {
		return fmt.Errorf("a message of %d bytes is too long", len(content))
	}
	frame := make([]byte, headerSize, headerSize+len(content))
	frame[0] = byte(k)
	binary.BigEndian.PutUint32(frame[1:], uint32(len(content)))
	_, err := w.Write(append(frame, content...))
	return err
}

func writeJSON(w io.Writer, k kind, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode message: %w", err)
	}
	return writeFrame(w, k, content)
}

// readFrame reads one frame into buffer, which grows as needed. The content is
// valid until the next call.
func readFrame(r io.Reader, buffer *[]byte) (kind, []byte, error) {
	var header [headerSize]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, nil, err
	}
	k, n := kind(header[0]), binary.BigEndian.Uint32(header[1:])
	if k == 0 || k >= kinds || n > maxMessage {
		return 0, nil, fmt.Errorf("no frame: kind %d, %d bytes", k, n)
	}
	if cap(*buffer) < int(n) {
		*buffer = make([]byte, max(int(n), chunk))
	}
	content := (*buffer)[:n]
	if _, err := io.ReadFull(r, content); err != nil {
		return 0, nil, fmt.Errorf("cut off in a frame: %w", err)
	}
	return k, content, nil
}

// The contents of frames.
type (
	settings struct {
		Memory     int64 `json:"memory"`      // bytes
		CPUSeconds int64 `json:"cpu_seconds"` // of the worker's whole life
		Processors int   `json:"processors"`  // threads that run at once
	}
	confinement struct {
		Without string `json:"without,omitempty"` // why system calls are not filtered; "" where they are
	}
	request struct {
		Task   string          `json:"task"`
		Ask    json.RawMessage `json:"ask"`
		Millis int64           `json:"millis"` // of processor time, until the task should end by itself
	}
	fileHeader struct {
		Name string `json:"name"`
		Kind string `json:"kind,omitempty"`
		Size int64  `json:"size"`
	}
	outcome struct {
		Result json.RawMessage `json:"result,omitempty"`
		Error  string          `json:"error,omitempty"`
		Late   bool            `json:"late,omitempty"` // the error is that the time was over
		Mapped int64           `json:"mapped"`         // bytes of memory that the worker holds
	}
)
