package jsonrpc

import "regexp"

// Outline is what can be told of a message that could not be read whole: one
// over the length limit, or one that is broken somewhere.
type Outline struct {
	ID   []byte // raw, nil when it was not found
	Kind Kind   // Invalid when it could not be told
}

// tailMembers finds the short members that a sender wrote behind the long one.
// What follows the message's last value and is closed by the line's last brace
// belongs to the message itself, not to anything inside it.
var tailMembers = regexp.MustCompile(`[}\]"\w]((?:\s*,\s*"(?:jsonrpc|id|method)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*))+)\s*\}\s*$`)

// OutlineOf looks at the beginning of a message and, where it is known to have
// ended well, at its end; tail is nil otherwise.
func OutlineOf(head, tail []byte) Outline {
	var o Outline
	var method bool
	note := func(key string, value []byte) {
		switch key {
		case `"method"`:
			method = true
		case `"result"`, `"error"`:
			o.Kind = Response
		case `"id"`:
			o.ID = value
		}
	}
	begun(head, note)
	if match := tailMembers.FindSubmatch(tail); match != nil {
		members := match[1]
		for len(members) > 0 && members[0] != '"' {
			members = members[1:] // the comma
		}
		begun(append(append([]byte{'{'}, members...), '}'), note)
	}
	switch {
	case method && o.ID != nil:
		o.Kind = Request
	case method:
		o.Kind = Notification
	}
	return o
}

// begun visits the members of an object as far as they can be read. The value
// of the last one is nil when it does not end.
func begun(b []byte, visit func(key string, value []byte)) {
	i := space(b, 0)
	if i >= len(b) || b[i] != '{' {
		return
	}
	for {
		i = space(b, i+1)
		if i >= len(b) || b[i] != '"' {
			return
		}
		end, err := str(b, i)
		if err != nil {
			return
		}
		key := string(b[i:end])
		i = space(b, end)
		if i >= len(b) || b[i] != ':' {
			return
		}
		i = space(b, i+1)
		end, err = value(b, i, 1)
		if err != nil || end == len(b) {
			visit(key, nil) // a number at the very end may be only its beginning
			return
		}
		visit(key, b[i:end])
		i = space(b, end)
		if i >= len(b) || b[i] != ',' {
			return
		}
	}
}
