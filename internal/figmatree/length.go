package figmatree

// About how long a value is as JSON, without writing it.

// jsonLen returns the length of AppendJSON's result, but for escapes of control
// characters.
func jsonLen(v *Value) int {
	switch v.Kind {
	case Null:
		return len("null")
	case Bool, Number:
		return len(v.Text)
	case String:
		return quotedLen(v.Text)
	}
	n := 2 + max(0, len(v.Kids)-1)
	for i := range v.Kids {
		if v.Kind == Object {
			n += quotedLen(v.Kids[i].Name) + 1
		}
		n += jsonLen(&v.Kids[i])
	}
	return n
}

func quotedLen(s string) int {
	n := len(s) + 2
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '"' || c == '\\' || c < 0x20 {
			n++
		}
	}
	return n
}
