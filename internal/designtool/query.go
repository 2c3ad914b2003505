package designtool

// What one call asks for.

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/playguard/playguard/internal/designdiff"
	"github.com/playguard/playguard/internal/jsonrpc"
)

// maxPairs bounds one call.
const maxPairs = 200

type query struct {
	pairs      []pair // one of the other modes
	autoMap    bool
	properties []string
	json       bool
}

type pair struct {
	node     nodeRef
	selector string
}

// nodeRef names a Figma node.
type nodeRef struct {
	file string // empty: the file last read
	id   string // as in 42:1337
}

// dashed is an id as URLs write it.
var dashed = regexp.MustCompile(`^I?-?\d+-\d+(?:;-?\d+-\d+)*$`)

// idForm is an id as the API writes it.
var idForm = regexp.MustCompile(`^I?-?\d+:\d+(?:;-?\d+:\d+)*$`)

// fileOf is the key of the file that a Figma URL leads to, a branch's own if it
// is one; empty if it leads to none.
func fileOf(u *url.URL) string {
	parts := strings.Split(strings.Trim(u.Path, "/"), "/")
	switch {
	case len(parts) >= 4 && parts[2] == "branch":
		return parts[3]
	case len(parts) >= 2:
		return parts[1]
	}
	return ""
}

// readNodeRef reads an id or a Figma URL.
func readNodeRef(s, file string) (nodeRef, bool) {
	s = strings.TrimSpace(s)
	if u, err := url.Parse(s); err == nil && (u.Scheme == "https" || u.Scheme == "http") {
		if key := fileOf(u); key != "" {
			file = key
		}
		s = u.Query().Get("node-id")
	}
	if dashed.MatchString(s) {
		s = strings.NewReplacer("-", ":").Replace(s)
	}
	return nodeRef{file, s}, idForm.MatchString(s)
}

// readQuery reads the arguments. A problem is the text that answers the call.
func readQuery(args []byte) (q query, problem string) {
	file := jsonrpc.StringMember(args, "fileKey")
	if u, err := url.Parse(file); err == nil && u.Scheme != "" {
		if key := fileOf(u); key != "" {
			file = key
		}
	}
	auto, _ := jsonrpc.Member(args, "autoMap")
	q.autoMap = string(auto) == "true" || string(auto) == `"true"`
	format := jsonrpc.StringMember(args, "format")
	q.json = format == "json"
	if format != "" && format != "json" && format != "text" {
		return q, fmt.Sprintf("format is text or json, not %q.", format)
	}
	if q.properties, problem = readProperties(args); problem != "" {
		return q, problem
	}
	add := func(from []byte) string {
		given := word(from, "figmaNodeId")
		ref, ok := readNodeRef(given, file)
		p := pair{ref, word(from, "browserSelector")}
		switch {
		case given == "":
			return "figmaNodeId is missing: an id such as 42:1337, or the node's Figma URL."
		case !ok:
			return fmt.Sprintf("%q is no Figma node: give an id such as 42:1337, or the node's Figma URL.", given)
		case p.selector == "" && !q.autoMap:
			return "browserSelector is missing: a handle of the last snapshot or a CSS selector. autoMap:true finds the elements itself."
		}
		q.pairs = append(q.pairs, p)
		return ""
	}
	pairs, several := jsonrpc.Member(args, "pairs")
	if !several || string(pairs) == "null" {
		return q, add(args)
	}
	if pairs[0] != '[' || q.autoMap {
		return q, "pairs is a list of {figmaNodeId, browserSelector}, without autoMap."
	}
	n := 0
	jsonrpc.Elements(pairs, func(v jsonrpc.Span) {
		if n++; problem == "" && n <= maxPairs {
			if why := add(pairs[v.Start:v.End]); why != "" {
				problem = fmt.Sprintf("Pair %d: %s", n, why)
			}
		}
	})
	switch {
	case problem != "":
	case n == 0:
		problem = "pairs is empty."
	case n > maxPairs:
		problem = fmt.Sprintf("There are %d pairs; one call takes %d.", n, maxPairs)
	}
	return q, problem
}

func readProperties(args []byte) (names []string, problem string) {
	v, ok := jsonrpc.Member(args, "properties")
	if !ok || string(v) == "null" {
		return nil, ""
	}
	if v[0] == '"' {
		names = []string{jsonrpc.StringMember(args, "properties")}
	}
	jsonrpc.Elements(v, func(e jsonrpc.Span) {
		name, err := jsonrpc.Unquote(v[e.Start:e.End])
		if err == nil {
			names = append(names, name)
		}
	})
	known := designdiff.Properties()
	for i, name := range names {
		names[i] = camel(name)
		if !slices.Contains(known, names[i]) {
			return nil, fmt.Sprintf("%q is not compared; these are: %s.", name, strings.Join(known, ", "))
		}
	}
	return names, ""
}

// camel writes font-size as fontSize.
func camel(name string) string {
	parts := strings.Split(name, "-")
	for i := 1; i < len(parts); i++ {
		if parts[i] != "" {
			parts[i] = strings.ToUpper(parts[i][:1]) + parts[i][1:]
		}
	}
	return strings.Join(parts, "")
}

// word returns an argument that may be written as a string or as a number, as
// handles are.
func word(args []byte, name string) string {
	v, ok := jsonrpc.Member(args, name)
	switch {
	case !ok || string(v) == "null":
		return ""
	case v[0] == '"':
		return strings.TrimSpace(jsonrpc.StringMember(args, name))
	}
	return string(v)
}
