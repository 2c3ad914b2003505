//go:build !unix

package transport

import "os"

// Pollable returns f: here the runtime has no cheaper way to wait.
func Pollable(f *os.File, _ ...*os.File) *os.File { return f }
