// Writing lines.

package scripted

import (
	"bufio"
	"os"
	"sync"
)

// output is standard output. What the reader's goroutine writes gathers while
// more requests are already there; everyone else flushes at once.
type output struct {
	mu sync.Mutex
	w  *bufio.Writer
	f  *os.File
}

func newOutput(f *os.File) *output {
	return &output{w: bufio.NewWriterSize(f, 64<<10), f: f}
}

// write writes the parts one after the other, with nothing of others between
// them. Errors are ignored: a client that is gone shows as the end of the input.
func (o *output) write(flush bool, parts ...[]byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, p := range parts {
		_, _ = o.w.Write(p)
	}
	if flush {
		_ = o.w.Flush()
	}
}

func (o *output) flush() { o.write(true) }

// close flushes and closes the file, while the process lives on.
func (o *output) close() {
	o.flush()
	_ = o.f.Close()
}
