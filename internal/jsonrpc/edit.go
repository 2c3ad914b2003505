package jsonrpc

// Edits of a valid JSON object's bytes. What is not edited keeps its bytes and
// its order, so numbers beyond 2^53 and unknown members survive.

import "bytes"

// SetMember returns obj with the member name set to value: replaced where it
// stands (the last one, if there are several), or added at the end. obj itself is
// not changed. What is no object, as an absent member, counts as an empty one.
func SetMember(obj []byte, name string, value []byte) []byte {
	if len(obj) == 0 || obj[0] != '{' {
		obj = []byte("{}")
	}
	if s := MemberSpan(obj, name); s.Present() {
		out := make([]byte, 0, len(obj)-(s.End-s.Start)+len(value))
		out = append(out, obj[:s.Start]...)
		out = append(out, value...)
		return append(out, obj[s.End:]...)
	}
	end := bytes.LastIndexByte(obj, '}')
	empty := true
	Members(obj, func(_, _ Span) { empty = false })
	out := make([]byte, 0, len(obj)+len(name)+len(value)+4)
	out = append(out, obj[:end]...)
	if !empty {
		out = append(out, ',')
	}
	out = AppendString(out, name)
	out = append(out, ':')
	out = append(out, value...)
	return append(out, obj[end:]...)
}

// DeleteMember returns obj without any member of that name, or obj itself if
// there is none.
func DeleteMember(obj []byte, name string) []byte {
	if !MemberSpan(obj, name).Present() {
		return obj
	}
	out := make([]byte, 0, len(obj))
	prev := 0 // end of the member before
	kept := false
	Members(obj, func(key, value Span) {
		from := prev // with the comma in front
		if !kept && prev > 0 {
			from = key.Start // the first one that stays has none
		}
		switch {
		case !isKey(obj[key.Start:key.End], name):
			out = append(out, obj[from:value.End]...)
			kept = true
		case prev == 0:
			out = append(out, obj[:key.Start]...) // the brace
		}
		prev = value.End
	})
	return append(out, obj[prev:]...)
}
