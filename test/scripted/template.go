// Texts with places for what was received.

package scripted

import (
	"slices"
	"strconv"
	"strings"
)

// template is a text cut at its ${…} places: literals[i] is followed by
// places[i], and one literal stands at the end.
type template struct {
	literals []string
	places   []string
}

// rawTemplate parses a raw JSON value, where a place that is a whole string
// ("${id}") stands for the value itself.
func rawTemplate(raw []byte) template {
	text := string(oneLine(raw))
	for _, name := range places() {
		text = strings.ReplaceAll(text, `"${`+name+`}"`, `${`+name+`}`)
	}
	return parseTemplate(text)
}

func places() []string {
	return []string{"id", "method", "params", "arguments", "token", "answer"}
}

func parseTemplate(text string) template {
	var t template
	literal := ""
	for {
		before, rest, found := strings.Cut(text, "${")
		literal += before
		if !found {
			t.literals = append(t.literals, literal)
			return t
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || !slices.Contains(places(), name) {
			literal += "${"
			text = rest
			continue
		}
		t.literals = append(t.literals, literal)
		t.places = append(t.places, name)
		literal, text = "", after
	}
}

// appendTo appends the text with every place filled from the call.
func (t template) appendTo(dst []byte, c *call) []byte {
	for i, literal := range t.literals {
		dst = append(dst, literal...)
		if i < len(t.places) {
			dst = append(dst, c.value(t.places[i])...)
		}
	}
	return dst
}

// appendQuoted appends text as a JSON string. Bytes that are not valid UTF-8
// stay what they are, and nothing is escaped that need not be.
func appendQuoted(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\t':
			dst = append(dst, '\\', 't')
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// textResult returns a tools/call result with one text content.
func textResult(text []byte) []byte {
	dst := make([]byte, 0, len(text)+64)
	dst = append(dst, `{"content":[{"type":"text","text":`...)
	dst = appendQuoted(dst, text)
	return append(dst, `}]}`...)
}

// bigResult returns a result whose JSON-quoted text has exactly size bytes and
// looks like a browser snapshot. Sizes below 256 are taken as 256.
func bigResult(size int) []byte {
	const (
		head = `### Page\n- Page URL: http://127.0.0.1/rows\n- Page Title: Rows\n### Snapshot\n` +
			"```yaml" + `\n- generic [active] [ref=e1]:\n`
		pad  = `  - text: `
		tail = `\n` + "```"
	)
	size = max(size, 256)
	dst := make([]byte, 0, size+64)
	dst = append(dst, `{"content":[{"type":"text","text":"`...)
	start := len(dst)
	dst = append(dst, head...)
	room := func() int { return size - 2 - (len(dst) - start) - len(pad) - len(tail) }
	for ref := 2; ; ref += 2 {
		row := appendRow(nil, ref)
		if len(row) > room() {
			break
		}
		dst = append(dst, row...)
	}
	fill := room()
	dst = append(dst, pad...)
	for range fill {
		dst = append(dst, 'x')
	}
	dst = append(dst, tail...)
	return append(dst, `"}]}`...)
}

// appendRow appends one row of the snapshot, as it stands inside a JSON string.
func appendRow(dst []byte, ref int) []byte {
	n := strconv.Itoa(ref)
	dst = append(dst, `  - listitem [ref=e`...)
	dst = append(dst, n...)
	dst = append(dst, `]:\n    - link \"Order `...)
	dst = append(dst, n...)
	dst = append(dst, ` of <Smith & Söhne>\" [ref=e`...)
	dst = strconv.AppendInt(dst, int64(ref+1), 10)
	dst = append(dst, `] [cursor=pointer]:\n      - /url: /orders/`...)
	dst = append(dst, n...)
	return append(dst, `\n`...)
}
