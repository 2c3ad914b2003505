package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

const (
	// maxName leaves room for "mcp__playguard__" within the 64 characters that
	// clients allow a tool's name.
	maxName = 64 - len("mcp__playguard__")
	// maxText is what clients keep of a description or of the instructions.
	maxText = 2048
)

// Source is one upstream and what it offers; Lists is nil while that is unknown.
type Source struct {
	Spec  *upstream.Spec
	Lists *Lists
}

// Owner is which upstream a listed name belongs to, and what it calls it.
type Owner struct {
	Source int
	Name   string
}

// Catalog is the merged lists. It does not change; a new one replaces it.
type Catalog struct {
	Tools, Resources, Templates, Prompts []byte // JSON arrays
	Capabilities                         []byte
	Instructions                         string
	Notes                                []string // what had to be renamed, repaired or left out

	tools, prompts, resources map[string]Owner
	templates                 []template
}

type template struct {
	pattern *regexp.Regexp
	text    string
	owner   Owner
}

// Tool returns who owns a listed tool.
func (c *Catalog) Tool(name string) (Owner, bool) { o, ok := c.tools[name]; return o, ok }

// Prompt returns who owns a listed prompt.
func (c *Catalog) Prompt(name string) (Owner, bool) { o, ok := c.prompts[name]; return o, ok }

// Resource returns who owns a resource: the one that listed it, else the first
// whose template matches it, whether given as a URI or as the template itself.
func (c *Catalog) Resource(uri string) (Owner, bool) {
	if o, ok := c.resources[uri]; ok {
		return o, true
	}
	for _, t := range c.templates {
		if t.text == uri || t.pattern.MatchString(uri) {
			return t.owner, true
		}
	}
	return Owner{}, false
}

// Merge merges the sources in their order, which is the order of the lists, so
// that a client's prompt cache holds from start to start. own is what PlayGuard
// says of itself in the instructions.
func Merge(sources []Source, own string) *Catalog {
	c := &Catalog{
		tools: map[string]Owner{}, prompts: map[string]Owner{}, resources: map[string]Owner{},
		Capabilities: []byte(`{"tools":{"listChanged":true}}`),
	}
	var tools, resources, templates, prompts [][]byte
	instructions := []string{own}
	for i, s := range sources {
		if s.Lists == nil {
			c.Capabilities = mcp.MergeCapabilities(c.Capabilities, []byte(unknown))
			continue
		}
		c.Capabilities = mcp.MergeCapabilities(c.Capabilities, s.Lists.Capabilities())
		for _, raw := range s.Lists.Tools {
			if tool, ok := c.tool(s.Spec, mcp.Tool(raw), i); ok {
				tools = append(tools, tool)
			}
		}
		for _, raw := range s.Lists.Prompts {
			name := jsonrpc.StringMember(raw, "name")
			listed, ok := c.claim(c.prompts, "prompt", s.Spec.Name, name, i)
			if !ok {
				continue
			}
			if listed != name {
				raw = jsonrpc.SetMember(raw, "name", jsonrpc.Quote(listed))
			}
			prompts = append(prompts, raw)
		}
		for _, raw := range s.Lists.Resources {
			uri := jsonrpc.StringMember(raw, "uri")
			if had, taken := c.resources[uri]; taken {
				c.note("the resource %s of %s is left out, because %s has it too", uri, s.Spec.Name, sources[had.Source].Spec.Name)
				continue
			}
			c.resources[uri] = Owner{i, uri}
			resources = append(resources, raw)
		}
		for _, raw := range s.Lists.Templates {
			text := jsonrpc.StringMember(raw, "uriTemplate")
			c.templates = append(c.templates, template{templatePattern(text), text, Owner{i, text}})
			templates = append(templates, raw)
		}
		said := jsonrpc.StringMember(s.Lists.Server, "instructions")
		if s.Spec.Instructions != nil {
			said = s.Spec.Instructions(said)
		}
		instructions = append(instructions, said)
	}
	for _, list := range []string{"resources", "prompts"} {
		if mcp.Has(c.Capabilities, list) {
			c.Capabilities = mcp.MergeCapabilities([]byte(`{"`+list+`":{"listChanged":true}}`), c.Capabilities)
		}
	}
	c.Tools, c.Resources, c.Templates, c.Prompts = join(tools), join(resources), join(templates), join(prompts)
	c.Instructions = shorten(joinTexts(instructions))
	return c
}

// unknown is declared for an upstream that has never been asked: all that the
// proxy can answer for it later.
const unknown = `{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true},"prompts":{"listChanged":true},"completions":{},"logging":{}}`

func (c *Catalog) note(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}

// tool rewrites one tool for the list and claims its name.
func (c *Catalog) tool(spec *upstream.Spec, tool mcp.Tool, source int) (mcp.Tool, bool) {
	fixed, problem, ok := tool.Repair()
	if problem != "" {
		c.note("the tool %q of %s: %s", tool.Name(), spec.Name, problem)
	}
	if !ok {
		return nil, false
	}
	tool = fixed
	name := tool.Name()
	if spec.RewriteTool != nil {
		if tool, ok = spec.RewriteTool(tool); !ok {
			return nil, false
		}
	}
	listed, ok := c.claim(c.tools, "tool", spec.Name, name, source)
	if !ok {
		return nil, false
	}
	if listed != name {
		tool = tool.WithName(listed)
	}
	if text := tool.Description(); len(text) > maxText {
		tool = tool.WithDescription(shorten(text))
		c.note("the description of %q of %s is shortened to what clients keep", name, spec.Name)
	}
	return tool, true
}

// claim gives a name to an upstream. A name that is taken is listed behind the
// upstream's own name, and one that clients refuse is mended.
func (c *Catalog) claim(taken map[string]Owner, what, upstream, name string, source int) (string, bool) {
	if name == "" {
		c.note("a %s of %s has no name and is left out", what, upstream)
		return "", false
	}
	listed := safeName(name)
	if _, clash := taken[listed]; clash {
		listed = safeName(upstream + "_" + name)
	}
	if _, clash := taken[listed]; clash {
		c.note("the %s %q of %s is left out, because its name is taken twice", what, name, upstream)
		return "", false
	}
	if listed != name {
		c.note("the %s %q of %s is listed as %q", what, name, upstream, listed)
	}
	taken[listed] = Owner{source, name}
	return listed, true
}

// safeName makes a name one that every client accepts: [A-Za-z0-9_-], at most
// maxName long. What had to be cut is told apart by a hash.
func safeName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if len(safe) <= maxName {
		return safe
	}
	sum := sha256.Sum256([]byte(name))
	return safe[:maxName-7] + "_" + hex.EncodeToString(sum[:3])
}

// shorten cuts a text to what clients keep, at the end of a sentence or a word.
func shorten(text string) string {
	const mark = " […]"
	if len(text) <= maxText {
		return text
	}
	cut := strings.ToValidUTF8(text[:maxText-len(mark)], "")
	if i := strings.LastIndexAny(cut, ".\n"); i > maxText/2 {
		return cut[:i+1] + mark
	}
	if i := strings.LastIndexByte(cut, ' '); i > maxText/2 {
		return cut[:i] + mark
	}
	return cut + mark
}

func joinTexts(texts []string) string {
	var kept []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			kept = append(kept, t)
		}
	}
	return strings.Join(kept, "\n\n")
}

// templatePattern turns a URI template (RFC 6570) into a pattern that its URIs
// match.
func templatePattern(text string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	for text != "" {
		open := strings.IndexByte(text, '{')
		end := strings.IndexByte(text, '}')
		if open < 0 || end < open {
			b.WriteString(regexp.QuoteMeta(text))
			break
		}
		b.WriteString(regexp.QuoteMeta(text[:open]))
		switch expression := text[open+1 : end]; {
		case expression != "" && strings.ContainsRune("+#/?&;.", rune(expression[0])):
			b.WriteString(".*")
		default:
			b.WriteString("[^/?#]+")
		}
		text = text[end+1:]
	}
	return regexp.MustCompile(b.String() + "$")
}
