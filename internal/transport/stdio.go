package transport

// The link to the client.

import (
	"io"
	"os"

	"github.com/playguard/playguard/internal/jsonrpc"
)

// Stdio is the link to the client: lines from in, lines to out.
type Stdio struct {
	*Writer
	reader *jsonrpc.Reader
	in     io.Reader
}

// NewStdio starts a link over two streams. Lines over maxLine bytes are refused.
func NewStdio(in io.Reader, out io.Writer, maxLine int) *Stdio {
	return &Stdio{Writer: NewWriter(out, 2*maxLine), reader: jsonrpc.NewReader(in, maxLine), in: in}
}

// Read returns the client's next line; see jsonrpc.Reader.
func (s *Stdio) Read() ([]byte, error) { return s.reader.Read() }

// HungUp reports whether the client has closed its side, also while lines from
// before that are unread. It knows only on Unix, and of files.
func (s *Stdio) HungUp() bool {
	f, ok := s.in.(*os.File)
	return ok && hungUp(f)
}
