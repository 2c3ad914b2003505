// Package argv turns the text of a command line setting into arguments and
// answers questions about the arguments that a user gave.
package argv

// Splitting: the quoting rule of the *_MCP_CMD and *_MCP_ARGS settings.

import (
	"fmt"
	"strings"
)

// Split cuts s into arguments at spaces, tabs and line ends. A part between
// "..." or '...' is taken as it stands, spaces included; quoted and bare parts
// that touch form one argument, so --dir="C:\My Files" is one. A backslash is an
// ordinary character, because these settings hold Windows paths. An empty pair
// of quotes is an empty argument. The only error is a quote that is not closed.
func Split(s string) ([]string, error) {
	var args []string
	var arg strings.Builder
	inArg := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case ' ', '\t', '\n', '\r':
			if inArg {
				args = append(args, arg.String())
				arg.Reset()
				inArg = false
			}
		case '"', '\'':
			length := strings.IndexByte(s[i+1:], c)
			if length < 0 {
				return nil, fmt.Errorf("the quote %c at character %d of %q is never closed; close it, or wrap the whole argument in the other kind of quote if %c belongs to it", c, i+1, s, c)
			}
			arg.WriteString(s[i+1 : i+1+length])
			i += 1 + length
			inArg = true
		default:
			arg.WriteByte(c)
			inArg = true
		}
	}
	if inArg {
		args = append(args, arg.String())
	}
	return args, nil
}

// Command splits a setting that names a program, perhaps with arguments. If
// isFile says that the whole text is a file, it is the program alone: a path
// with spaces needs no quotes then.
func Command(s string, isFile func(path string) bool) ([]string, error) {
	if whole := strings.TrimSpace(s); whole != "" && isFile(whole) {
		return []string{whole}, nil
	}
	return Split(s)
}
