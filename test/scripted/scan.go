// Finding members in a line without decoding it.

package scripted

// message is what the server needs to know of one received line. All slices
// point into the line.
type message struct {
	raw    []byte
	id     []byte // raw bytes; nil when there is none
	method []byte // without its quotes; nil for an answer
	params []byte
}

// scanMessage finds the members of one line. It reports false for anything that
// is not a JSON object as far as it had to look.
func scanMessage(line []byte) (message, bool) {
	m := message{raw: line}
	ok := eachMember(line, func(key, value []byte) {
		switch string(key) {
		case "id":
			m.id = value
		case "method":
			m.method = unquoted(value)
		case "params":
			m.params = value
		}
	})
	return m, ok
}

// member returns the raw value of one member of a raw object, or nil.
func member(object []byte, name string) []byte {
	var found []byte
	eachMember(object, func(key, value []byte) {
		if string(key) == name {
			found = value
		}
	})
	return found
}

// elements returns the raw values of a raw array.
func elements(array []byte) [][]byte {
	i := skipSpace(array, 0)
	if i >= len(array) || array[i] != '[' {
		return nil
	}
	var list [][]byte
	for i = skipSpace(array, i+1); i < len(array) && array[i] != ']'; i = skipSpace(array, i) {
		end := skipValue(array, i)
		if end == i {
			return nil
		}
		list = append(list, array[i:end])
		i = skipSpace(array, end)
		if i < len(array) && array[i] == ',' {
			i++
		}
	}
	return list
}

// eachMember calls f with the key (without quotes, escapes as they are) and the
// raw value of each member of the object. It reports false where the text stops
// being an object.
func eachMember(object []byte, f func(key, value []byte)) bool {
	i := skipSpace(object, 0)
	if i >= len(object) || object[i] != '{' {
		return false
	}
	i = skipSpace(object, i+1)
	for i < len(object) && object[i] != '}' {
		if object[i] != '"' {
			return false
		}
		end := skipString(object, i)
		if end-i < 2 {
			return false
		}
		key := object[i+1 : end-1]
		i = skipSpace(object, end)
		if i >= len(object) || object[i] != ':' {
			return false
		}
		i = skipSpace(object, i+1)
		end = skipValue(object, i)
		if end == i {
			return false
		}
		f(key, object[i:end])
		i = skipSpace(object, end)
		if i < len(object) && object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
	return i < len(object)
}

// unquoted strips the quotes of a raw string; nil for anything else.
func unquoted(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' {
		return nil
	}
	return value[1 : len(value)-1]
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// skipString returns the index after the string that starts at i.
func skipString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// skipValue returns the index after the value that starts at i, or i itself if
// none does.
func skipValue(b []byte, i int) int {
	depth := 0
	for j := i; j < len(b); {
		switch b[j] {
		case '"':
			j = skipString(b, j)
		case '{', '[':
			depth++
			j++
			continue
		case '}', ']':
			if depth == 0 {
				return j
			}
			depth--
			j++
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return j
			}
			j++
			continue
		default:
			for j < len(b) && !isDelimiter(b[j]) {
				j++
			}
		}
		if depth == 0 {
			return j
		}
	}
	return len(b)
}

func isDelimiter(c byte) bool {
	switch c {
	case '"', '{', '[', '}', ']', ',', ':', ' ', '\t', '\r', '\n':
		return true
	}
	return false
}
