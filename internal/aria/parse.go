package aria

// This file parses the snapshot that upstream's renderAriaSnapshotAsYaml
// writes. The format is a small, fixed subset of YAML; only that subset is
// accepted.

import (
	"fmt"
	"strconv"
	"strings"
)

// maxDepth bounds the nesting that is accepted, so that later steps may
// recurse. Real pages stay below 100.
const maxDepth = 10000

// Parse reads the text inside the snapshot's fence. An error means that the
// text is not a snapshot this package understands and must be left alone.
func Parse(yaml string) (*Tree, error) {
	lines := strings.Count(yaml, "\n") + 1
	t := &Tree{Nodes: make([]Node, 1, lines+1), Lines: lines}
	if strings.TrimRight(yaml, "\r\n ") == "" {
		return t, nil
	}
	// path[d] is the last node seen at depth d-1; path[0] is the root.
	path := make([]int32, 1, 64)
	raw, number := 0, 0
	for len(yaml) > 0 {
		number++
		line := yaml
		if end := strings.IndexByte(yaml, '\n'); end >= 0 {
			line, yaml = yaml[:end], yaml[end+1:]
		} else {
			yaml = ""
		}
		line = strings.TrimSuffix(line, "\r")
		spaces := 0
		for spaces < len(line) && line[spaces] == ' ' {
			spaces++
		}
		body, ok := strings.CutPrefix(line[spaces:], "- ")
		if !ok || spaces%2 != 0 {
			return nil, fmt.Errorf("line %d of the snapshot does not start a node", number)
		}
		depth := spaces / 2
		if depth >= len(path) || depth > maxDepth {
			return nil, fmt.Errorf("line %d of the snapshot is nested deeper than its parent allows", number)
		}
		path = path[:depth+1]
		parent := path[depth]
		if depth > 0 && t.Nodes[parent].Kind == Text {
			return nil, fmt.Errorf("line %d of the snapshot is nested below a text", number)
		}
		if name, value, ok := parseProp(body); ok && depth > 0 && t.Nodes[parent].Kind == Element {
			p := &t.Nodes[parent]
			p.Props = append(p.Props, Prop{name, value})
			// A property has no children: anything deeper is an error.
			continue
		}
		n := parseLine(body)
		if n.Kind == Raw {
			raw++
		}
		path = append(path, t.add(parent, n))
	}
	if raw > 0 && raw*2 > len(t.Nodes)-1 {
		return nil, fmt.Errorf("%d of %d lines of the snapshot are not in the known form", raw, len(t.Nodes)-1)
	}
	if cap(t.Nodes)-len(t.Nodes) > len(t.Nodes)/8 {
		// Trees are kept: the room for lines that were properties goes back.
		t.Nodes = append([]Node(nil), t.Nodes...)
	}
	return t, nil
}

// parseProp reads "/url: value".
func parseProp(body string) (name, value string, ok bool) {
	if !strings.HasPrefix(body, "/") {
		return "", "", false
	}
	name, value, ok = strings.Cut(body[1:], ": ")
	if !ok || !isWord(name) {
		return "", "", false
	}
	value, ok = yamlValue(value)
	return name, value, ok
}

// parseLine reads what follows "- " on a line that is no property.
func parseLine(body string) Node {
	if rest, ok := strings.CutPrefix(body, "text: "); ok {
		if v, ok := yamlValue(rest); ok {
			return Node{Kind: Text, Value: v, HasValue: true}
		}
		return Node{Kind: Raw, Value: body}
	}
	key, rest := body, ""
	if strings.HasPrefix(body, "'") {
		var ok bool
		if key, rest, ok = yamlSingleQuoted(body); !ok {
			return Node{Kind: Raw, Value: body}
		}
	}
	n := Node{Kind: Element}
	after, ok := parseKey(&n, key)
	if !ok || (rest != "" && after != "") {
		return Node{Kind: Raw, Value: body}
	}
	if rest == "" {
		rest = after
	}
	switch {
	case rest == "" || rest == ":":
		return n
	case strings.HasPrefix(rest, ": "):
		if n.Value, n.HasValue = yamlValue(rest[2:]); n.HasValue {
			return n
		}
	}
	return Node{Kind: Raw, Value: body}
}

// parseKey reads `role "name" [attr] [attr=value]` into n and returns what
// follows it, which is empty or starts with a colon.
func parseKey(n *Node, key string) (rest string, ok bool) {
	i := 0
	for i < len(key) && isWordByte(key[i]) {
		i++
	}
	if i == 0 {
		return "", false
	}
	n.Role, key = key[:i], key[i:]
	if strings.HasPrefix(key, ` "`) {
		if n.Name, key, ok = jsonString(key[1:]); !ok {
			return "", false
		}
	}
	kept := 0 // bytes of Attrs that are contiguous in the source
	source := key
	for strings.HasPrefix(key, " [") {
		end := strings.IndexByte(key, ']')
		if end < 0 {
			return "", false
		}
		attr := key[2:end]
		if attr == "" || strings.ContainsAny(attr, " [\"") {
			return "", false
		}
		if n.setAttr(attr) {
			if kept == len(source)-len(key) {
				kept += end + 1
				n.Attrs = source[1:kept]
			} else {
				n.Attrs = strings.TrimPrefix(n.Attrs+key[:end+1], " ")
			}
		}
		key = key[end+1:]
	}
	if key != "" && key[0] != ':' {
		return "", false
	}
	return key, true
}

// setAttr records one attribute and reports whether it belongs into Attrs.
func (n *Node) setAttr(attr string) bool {
	name, value, _ := strings.Cut(attr, "=")
	switch name {
	case "ref":
		n.Ref = value
		return false
	case "cursor":
		n.Pointer = value == "pointer"
		return !n.Pointer
	case "level":
		level, err := strconv.ParseUint(value, 10, 16)
		if err != nil {
			return true
		}
		n.Level = uint16(level)
		return !n.marked()
	case "aria-hidden":
		// Upstream prints only what can be seen or operated.
		return false
	case "checked":
		n.State |= Checked
	case "disabled":
		n.State |= Disabled
	case "expanded":
		n.State |= Expanded
	case "active":
		n.State |= Active
	case "invalid":
		n.State |= Invalid
	case "pressed":
		n.State |= Pressed
	case "selected":
		n.State |= Selected
	}
	return true
}

// marked reports whether the node is a heading that signs can show.
func (n *Node) marked() bool {
	return n.Role == "heading" && n.Level >= 1 && n.Level <= 6
}

// isWord reports whether s consists of the characters of a role or property.
func isWord(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isWordByte(s[i]) {
			return false
		}
	}
	return s != ""
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_'
}
