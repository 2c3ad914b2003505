package catalog

// This file merges the lists and finds the owner of a name.

import (
	"fmt"
	"regexp"

	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
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

	toolsBefore, promptsBefore earlier
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

// Resource returns who owns a resource: the one that listed it, else the one
// whose template it is as text, else the first whose template matches it.
func (c *Catalog) Resource(uri string) (Owner, bool) {
	if o, ok := c.resources[uri]; ok {
		return o, true
	}
	for _, t := range c.templates {
		if t.text == uri {
			return t.owner, true
		}
	}
	for _, t := range c.templates {
		if t.pattern.MatchString(uri) {
			return t.owner, true
		}
	}
	return Owner{}, false
}

// Merge merges the sources in their order, which is the order of the lists, so
// that a client's prompt cache holds from start to start. own is what PlayGuard
// says of itself in the instructions. before is the catalogue that is replaced,
// nil for the first: a name keeps its meaning for as long as the session lasts.
func Merge(sources []Source, own string, before *Catalog) *Catalog {
	if before == nil {
		before = &Catalog{}
	}
	c := &Catalog{
		toolsBefore: newEarlier(before.tools), promptsBefore: newEarlier(before.prompts),
		tools: map[string]Owner{}, prompts: map[string]Owner{}, resources: map[string]Owner{},
		Capabilities: []byte(`{"tools":{"listChanged":true}}`),
	}
	var tools, resources, templates, prompts [][]byte
	taken := map[string]Owner{} // resource templates
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
			if prompt, ok := c.prompt(s.Spec, raw, i); ok {
				prompts = append(prompts, prompt)
			}
		}
		for _, raw := range s.Lists.Resources {
			if uri, ok := c.first(c.resources, sources, "resource", "uri", raw, i); ok {
				c.resources[uri] = Owner{i, uri}
				resources = append(resources, raw)
			}
		}
		for _, raw := range s.Lists.Templates {
			text, ok := c.first(taken, sources, "resource template", "uriTemplate", raw, i)
			if !ok {
				continue
			}
			pattern, err := templatePattern(text)
			if err != nil {
				c.note("a resource template of %s is left out: %v", s.Spec.Name, err)
				continue
			}
			taken[text] = Owner{i, text}
			c.templates = append(c.templates, template{pattern, text, Owner{i, text}})
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

// first reads the URI, or the template of one, in a member of a list's entry. It
// returns false for an entry that has none, or one that is taken: the later of
// two could never be reached.
func (c *Catalog) first(taken map[string]Owner, sources []Source, what, member string, raw []byte, source int) (string, bool) {
	name := sources[source].Spec.Name
	uri := jsonrpc.StringMember(raw, member)
	if uri == "" {
		c.note("a %s of %s has no %s and is left out", what, name, member)
		return "", false
	}
	if had, clash := taken[uri]; clash {
		c.note("the %s %s of %s is left out, because %s has it too", what, uri, name, sources[had.Source].Spec.Name)
		return "", false
	}
	return uri, true
}

// prompt claims a prompt's name.
func (c *Catalog) prompt(spec *upstream.Spec, raw []byte, source int) ([]byte, bool) {
	name := jsonrpc.StringMember(raw, "name")
	listed, ok := c.claim(c.prompts, c.promptsBefore, "prompt", spec.Name, name, source)
	if !ok {
		return nil, false
	}
	if listed != name {
		raw = jsonrpc.SetMember(raw, "name", jsonrpc.Quote(listed))
	}
	return raw, true
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
	listed, ok := c.claim(c.tools, c.toolsBefore, "tool", spec.Name, name, source)
	if !ok {
		return nil, false
	}
	if tool.Name() != listed {
		tool = tool.WithName(listed)
	}
	if text := tool.Description(); len(text) > maxText {
		tool = tool.WithDescription(shorten(text))
		c.note("the description of %q of %s is shortened to what clients keep", name, spec.Name)
	}
	return tool, true
}
