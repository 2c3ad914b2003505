package argv

// Flags: whether the user already said something about an option, so that
// PlayGuard's own default for it stays out of the way.

import (
	"strings"
	"unicode"
)

// Flag looks for the option name (its positive kebab-case form without dashes,
// such as "executable-path") in args. It knows the spellings --x v, --x=v, --x,
// --no-x and the camel-case form of each, which are those that commander and
// yargs accept. The last occurrence counts, as it does there; nothing after a
// lone -- is looked at. The value of a bare --x is "", that of --no-x "false".
// An argument that follows --x and is no option itself is taken as its value,
// since only the program knows which options take one.
func Flag(args []string, name string) (value string, given bool) {
	name = kebab(name)
	for i, arg := range args {
		if arg == "--" {
			break
		}
		option, isOption := strings.CutPrefix(arg, "--")
		if !isOption {
			continue
		}
		option, inline, hasInline := strings.Cut(option, "=")
		option = kebab(option)
		switch {
		case option == name && hasInline:
			value, given = inline, true
		case option == name && i+1 < len(args) && !strings.HasPrefix(args[i+1], "-"):
			value, given = args[i+1], true
		case option == name:
			value, given = "", true
		case option == "no-"+name:
			value, given = "false", true
		}
	}
	return value, given
}

// Has reports whether args give any of the options in any spelling that Flag
// knows.
func Has(args []string, names ...string) bool {
	for _, name := range names {
		if _, given := Flag(args, name); given {
			return true
		}
	}
	return false
}

// kebab writes an option name in lower case with dashes, as yargs does when it
// compares --executablePath with --executable-path.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) {
			if i > 0 && name[i-1] != '-' {
				b.WriteByte('-')
			}
			r = unicode.ToLower(r)
		}
		b.WriteRune(r)
	}
	return b.String()
}
