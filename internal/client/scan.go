package client

// This file finds the members of a JSON-RPC message without decoding them.

import (
	"bytes"
	"encoding/json"
	"math"
)

// message is the members of one JSON-RPC message, as parts of the line they
// came in; nil for a member that is missing.
type message struct {
	id, method, params, result, err []byte
}

// methodName is the decoded method.
func (m message) methodName() string {
	if s := m.method; len(s) >= 2 && bytes.IndexByte(s, '\\') < 0 {
		return string(s[1 : len(s)-1])
	}
	var s string
	_ = json.Unmarshal(m.method, &s) // scanMessage has seen a string
	return s
}

// scanMessage finds the members of a line that holds one object. It reads only
// as much as it needs to find where values end; a value's inside is not
// checked. Of a repeated member the last counts, as in encoding/json.
func scanMessage(b []byte) (m message, ok bool) {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return m, false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return m, skipSpace(b, i+1) == len(b)
	}
	for {
		if i >= len(b) || b[i] != '"' {
			return m, false
		}
		end := skipString(b, i)
		if end < 0 {
			return m, false
		}
		key := b[i+1 : end-1]
		i = skipSpace(b, end)
		if i >= len(b) || b[i] != ':' {
			return m, false
		}
		i = skipSpace(b, i+1)
		if end = skipValue(b, i); end < 0 {
			return m, false
		}
		m.set(key, b[i:end])
		i = skipSpace(b, end)
		if i >= len(b) {
			return m, false
		}
		if b[i] == '}' {
			textual := m.method == nil || m.method[0] == '"'
			return m, textual && skipSpace(b, i+1) == len(b)
		}
		if b[i] != ',' {
			return m, false
		}
		i = skipSpace(b, i+1)
	}
}

func (m *message) set(key, value []byte) {
	if bytes.IndexByte(key, '\\') >= 0 {
		var s string
		if json.Unmarshal(append(append([]byte{'"'}, key...), '"'), &s) != nil {
			return
		}
		key = []byte(s)
	}
	switch string(key) {
	case "id":
		m.id = value
	case "method":
		m.method = value
	case "params":
		m.params = value
	case "result":
		m.result = value
	case "error":
		m.err = value
	}
}

// parseID reads an id of Call: a positive integer in plain digits.
func parseID(b []byte) (int64, bool) {
	if len(b) == 0 {
		return 0, false
	}
	var n int64
	for _, d := range b {
		if d < '0' || d > '9' || n > (math.MaxInt64-9)/10 {
			return 0, false
		}
		n = n*10 + int64(d-'0')
	}
	return n, true
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// skipString gives the index after the string that begins at i, or -1.
func skipString(b []byte, i int) int {
	i++
	for {
		n := bytes.IndexByte(b[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		backslashes := 0
		for b[i-1-backslashes] == '\\' { // ends at the opening quote at the latest
			backslashes++
		}
		i++
		if backslashes%2 == 0 {
			return i
		}
	}
}

// skipValue gives the index after the value that begins at i, or -1.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	start := i
	for i < len(b) && b[i] != ',' && b[i] != '}' && b[i] != ']' && b[i] > ' ' {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// skipNested gives the index after the object or array that begins at i, or -1.
func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		i++
		if depth == 0 {
			return i
		}
	}
	return -1
}
