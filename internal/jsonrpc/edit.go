package jsonrpc

// Edits of a valid JSON object's bytes. What is not edited keeps its bytes and
// its order, so numbers beyond 2^53 and unknown members survive.

// SetMember returns obj with the member name set to value: replaced where it
// stands, or added at the end. obj itself is not changed.
func SetMember(obj []byte, name string, value []byte) []byte {
	if s := MemberSpan(obj, name); s.Present() {
		out := make([]byte, 0, len(obj)-(s.End-s.Start)+len(value))
		out = append(out, obj[:s.Start]...)
		out = append(out, value...)
		return append(out, obj[s.End:]...)
	}
	end := len(obj) - 1 // the closing brace
	for obj[end] != '}' {
		end--
	}
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

// DeleteMember returns obj without the member name, or obj itself if there is
// no such member.
func DeleteMember(obj []byte, name string) []byte {
	var prevEnd, from, to int
	found, first := false, true
	next := 0
	Members(obj, func(key, value Span) {
		switch {
		case found:
			if next == 0 {
				next = key.Start
			}
		case string(obj[key.Start+1:key.End-1]) == name:
			found, from, to = true, key.Start, value.End
			if !first {
				from = prevEnd
			}
		default:
			prevEnd, first = value.End, false
		}
	})
	if !found {
		return obj
	}
	if first && next > 0 {
		to = next // the first of several: its comma goes too
	}
	out := make([]byte, 0, len(obj)-(to-from))
	out = append(out, obj[:from]...)
	return append(out, obj[to:]...)
}

// StringMember returns the text of a string member, empty when it is absent or
// no string.
func StringMember(obj []byte, name string) string {
	v, _ := Member(obj, name)
	if len(v) == 0 || v[0] != '"' {
		return ""
	}
	s, err := Unquote(v)
	if err != nil {
		return ""
	}
	return s
}

// Quote returns s as a JSON string.
func Quote(s string) []byte { return AppendString(make([]byte, 0, len(s)+16), s) }
