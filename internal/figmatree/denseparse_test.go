package figmatree

// A reader of the dense form that knows nothing but its grammar
// (docs/figma-format.md): what it gets out of a text is held against the answer
// that the text was made of.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// readLayer is a layer as read: its members in Framelink's names, shared styles
// as {"name":…, "value":…} where they have a name of their own.
type readLayer struct {
	id      string
	members map[string]any
	kids    []*readLayer
	words   []string
	stub    int
}

type readDocument struct {
	file       string
	missing    string
	components map[string]map[string]any
	sets       map[string]map[string]any
	styles     map[string]any
	macros     map[string][]string
	roots      []*readLayer
	byID       map[string]*readLayer
}

// readDense reads a text of the dense form; panics become errors.
func readDense(text string) (doc *readDocument, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	doc = &readDocument{
		components: map[string]map[string]any{}, sets: map[string]map[string]any{}, styles: map[string]any{},
		macros: map[string][]string{}, byID: map[string]*readLayer{},
	}
	_, text, _ = strings.Cut(text, "\n") // the legend
	head, tree, _ := strings.Cut("\n"+text, "\n\n")
	doc.readHead(strings.Split(strings.TrimPrefix(head, "\n"), "\n"))
	doc.readTree(strings.Split(tree, "\n"))
	return doc, nil
}

type ids struct{ prefix string }

// read returns a full id.
func (p *ids) read(s, base string) string {
	switch {
	case strings.HasPrefix(s, `"`):
		return unquoteTest(s)
	case strings.HasPrefix(s, ";"):
		return "I" + strings.TrimPrefix(base, "I") + s
	case !strings.Contains(s, ":") && digitsOnly(s):
		return p.prefix + ":" + s
	}
	if page, _, ok := numbered(s); ok {
		p.prefix = page
	}
	return s
}

func digitsOnly(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

func unquoteTest(s string) string {
	var out string
	if err := json.Unmarshal([]byte(s), &out); err != nil {
		panic(fmt.Sprintf("%s: %v", s, err))
	}
	return out
}

// lineText reads a text that ends with its line.
func lineText(s string) string {
	if strings.HasPrefix(s, `"`) {
		return unquoteTest(s)
	}
	return s
}

func (d *readDocument) readHead(lines []string) {
	p := &ids{}
	set, list := "", false
	for _, line := range lines {
		switch {
		case strings.HasPrefix(line, "file "):
			d.file = lineText(line[len("file "):])
		case strings.HasPrefix(line, "not in the file: "):
			d.missing = line[len("not in the file: "):]
		case line == "components":
			list = true
		case strings.HasPrefix(line, "style "):
			s := scanner{s: line[len("style "):]}
			name := s.relaxedString("=")
			s.expect('=')
			d.styles[name] = s.relaxed()
		case list && (strings.HasPrefix(line, "set #") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, " #")):
			isSet, variant := strings.HasPrefix(line, "set "), strings.HasPrefix(line, " ")
			word, rest := cutID(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "set "), " "), "#"))
			entry := map[string]any{"id": p.read(word, "")}
			rest = strings.TrimPrefix(rest, " ")
			if strings.HasPrefix(rest, "{") {
				s := scanner{s: rest}
				for k, v := range s.relaxed().(map[string]any) {
					entry[k] = v
				}
				rest = strings.TrimPrefix(s.s[s.i:], " ")
			}
			if rest != "" {
				entry["name"] = lineText(rest)
			}
			switch {
			case isSet:
				set = entry["id"].(string)
				d.sets[set] = entry
			case variant:
				entry["componentSetId"] = set
				d.components[entry["id"].(string)] = entry
			default:
				d.components[entry["id"].(string)] = entry
			}
		case line != "":
			name, def, ok := strings.Cut(line, "=")
			if !ok {
				panic("no definition: " + line)
			}
			s := scanner{s: def}
			d.macros[name] = s.words()
		}
	}
}

// cutID splits off an id, which may be in quotes.
func cutID(s string) (id, rest string) {
	if strings.HasPrefix(s, `"`) {
		sc := scanner{s: s}
		sc.quoted()
		return s[:sc.i], s[sc.i:]
	}
	i := strings.IndexAny(s, " ")
	colon := strings.Index(s, ": ")
	if colon >= 0 && (i < 0 || colon < i) {
		i = colon
	}
	if i < 0 {
		return s, ""
	}
	return s[:i], s[i:]
}

var moreLine = regexp.MustCompile(`^ *… [0-9]+ more layers$`)

// openLayer is one that lines below may belong to.
type openLayer struct {
	layer *readLayer
	base  string
	copy  bool // lines below it are differences
}

func (d *readDocument) readTree(lines []string) {
	p := &ids{}
	var open []openLayer
	for _, line := range lines {
		if line == "" || moreLine.MatchString(line) {
			continue
		}
		depth := len(line) - len(strings.TrimLeft(line, " "))
		if depth > len(open) {
			panic("indented too deep: " + line)
		}
		open = open[:depth]
		base := ""
		if depth > 0 {
			base = open[depth-1].base
		}
		l, head, text, worded := d.readLine(line[depth:], p, base)
		if depth > 0 && open[depth-1].copy {
			d.change(l, head, text, worded)
			open = append(open, openLayer{layer: l})
			continue
		}
		copyOf, rest := "", []string(nil)
		for i := 0; i < len(l.words); i++ {
			if strings.HasPrefix(l.words[i], "=#") {
				copyOf = l.words[i][2:]
			} else {
				rest = append(rest, l.words[i])
			}
		}
		if copyOf != "" {
			l.words = rest
			d.expand(l, copyOf, p)
		} else {
			d.apply(l, text, worded)
		}
		if d.byID[l.id] == nil {
			d.byID[l.id] = l
		}
		inner := base
		if l.members["type"] == "INSTANCE" {
			inner = l.id
		} else if copyOf != "" {
			inner = ""
		}
		if depth == 0 {
			d.roots = append(d.roots, l)
		} else {
			parent := open[depth-1].layer
			parent.kids = append(parent.kids, l)
		}
		open = append(open, openLayer{layer: l, base: inner, copy: copyOf != ""})
	}
}

// readLine splits a line; words stay unread.
func (d *readDocument) readLine(line string, p *ids, base string) (l *readLayer, head bool, text string, worded bool) {
	l = &readLayer{members: map[string]any{}}
	rest := line
	if strings.HasPrefix(rest, "<") {
		s := scanner{s: rest, i: 1}
		l.members["type"] = s.relaxedString(">")
		s.expect('>')
		rest, head = rest[s.i+1:], true
	} else if word, after, ok := strings.Cut(rest, " "); ok && kindOfWord[word] != "" {
		l.members["type"] = kindOfWord[word]
		rest, head = after, true
	}
	if strings.HasPrefix(rest, `"`) {
		s := scanner{s: rest}
		l.members["name"] = s.quoted()
		rest, head = rest[s.i+1:], true
	} else if i := strings.Index(rest, " #"); i >= 0 && rest[0] != '#' {
		l.members["name"] = rest[:i]
		rest, head = rest[i+1:], true
	}
	if !strings.HasPrefix(rest, "#") {
		panic("no id: " + line)
	}
	id, rest := cutID(rest[1:])
	l.id = p.read(id, base)
	s := scanner{s: rest}
	for s.i < len(s.s) && s.s[s.i] == ' ' {
		s.i++
		start := s.i
		s.word()
		l.words = append(l.words, s.s[start:s.i])
	}
	if s.i < len(s.s) {
		s.expect(':')
		s.expect(' ')
		text, worded = lineText(s.s[s.i:]), true
	}
	if n := len(l.words); n > 0 && strings.HasPrefix(l.words[n-1], "…") {
		l.stub, _ = strconv.Atoi(strings.TrimPrefix(l.words[n-1], "…"))
		l.words = l.words[:n-1]
	}
	return l, head, text, worded
}

// apply makes members of words.
func (d *readDocument) apply(l *readLayer, text string, worded bool) {
	if worded {
		l.members["text"] = text
	}
	if l.members["type"] == nil {
		l.members["type"] = frameKind
		if worded {
			l.members["type"] = textKind
		}
	}
	for _, w := range l.words {
		d.member(l, w)
	}
}

func (d *readDocument) member(l *readLayer, w string) {
	if def, ok := d.macros[w]; ok {
		for _, inner := range def {
			d.member(l, inner)
		}
		return
	}
	readWord(l.members, w)
}

// change puts a line below a copy in the place of the layer it is about.
func (d *readDocument) change(l *readLayer, head bool, text string, worded bool) {
	old := d.byID[l.id]
	if old == nil {
		panic("a difference of an unknown layer " + l.id)
	}
	if !head && len(l.words) == 0 && worded {
		old.members["text"] = text
		return
	}
	d.apply(l, text, worded)
	old.members = l.members
}

// expand makes a copy's subtree.
func (d *readDocument) expand(l *readLayer, copyOf string, p *ids) {
	prefix := p.prefix
	first := d.byID[p.read(copyOf, "")]
	p.prefix = prefix
	if first == nil {
		panic("a copy of an unknown layer " + copyOf)
	}
	own := l.members
	l.members = map[string]any{}
	for k, v := range first.members {
		l.members[k] = v
	}
	delete(l.members, "name")
	for k, v := range own {
		l.members[k] = v
	}
	delete(l.members, "@") // a copy has a place of its own, or none
	var list []string
	for _, w := range l.words {
		if strings.HasPrefix(w, "(") {
			for _, id := range (&scanner{s: strings.Trim(w, "()")}).words() {
				list = append(list, p.read(id, ""))
			}
			continue
		}
		readWord(l.members, w)
	}
	at := 0
	var kids func(from, to *readLayer)
	kids = func(from, to *readLayer) {
		for _, kid := range from.kids {
			c := &readLayer{members: map[string]any{}}
			for k, v := range kid.members {
				c.members[k] = v
			}
			if list != nil {
				c.id = list[at]
				at++
			} else {
				c.id = shiftID(kid.id, first.id, l.id)
			}
			if d.byID[c.id] == nil {
				d.byID[c.id] = c
			}
			to.kids = append(to.kids, c)
			kids(kid, c)
		}
	}
	kids(first, l)
}
