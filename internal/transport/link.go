package transport

import "time"

// Link is a connection to a server: lines to it and from it.
type Link interface {
	// Read returns the next line; see jsonrpc.Reader. After the end it returns
	// an error that is no *jsonrpc.TooLongError.
	Read() ([]byte, error)
	// Send queues a line and never waits: see Writer.Send.
	Send(line []byte) error
	// Close ends the link, and the server if it is this process's child, within
	// grace or soon after. Idempotent.
	Close(grace time.Duration)
	// Exit says how it ended, once Close has returned: "exited with status 0".
	Exit() string
	// Unsent returns the lines that the server has certainly not carried out,
	// once Close has returned.
	Unsent() [][]byte
	// Pid is the server's process, 0 when it is not this process's child.
	Pid() int
}

// Open starts or connects to a server. Lines over maxLine bytes are refused;
// stderr gets what a child says there.
func Open(cmd Command, maxLine int, stderr *Ring) (Link, error) {
	if !cmd.At.IsZero() {
		return OpenHTTP(cmd.At, maxLine), nil
	}
	c, err := StartChild(cmd, maxLine, stderr)
	if err != nil {
		return nil, err // not c, which would be no nil Link
	}
	return c, nil
}
