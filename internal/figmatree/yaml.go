package figmatree

// YAML text to values. Only what Framelink writes is of interest; scalars are
// read by YAML's core schema, and what is no JSON becomes a string.

import (
	"errors"
	"fmt"
	"regexp"

	"go.yaml.in/yaml/v4"
)

// jsonNumber is how JSON writes a number; what YAML also takes for one (1_000,
// 0x1F, dates) stays a string, as the writer of JSON would have had it.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// ParseYAML reads a YAML document that holds a mapping or a sequence.
func ParseYAML(text string) (*Value, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		return nil, fmt.Errorf("it is no YAML: %w", err)
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 {
		return nil, errors.New("the YAML document is empty")
	}
	c := yamlConverter{budget: 64 * (len(text) + 1)}
	v, err := c.value(doc.Content[0], 0)
	if err != nil {
		return nil, err
	}
	if v.Kind != Object && v.Kind != Array {
		return nil, errors.New("the YAML is one plain text")
	}
	return &v, nil
}

// yamlConverter counts what it makes, because aliases can make a short document
// huge.
type yamlConverter struct{ budget int }

func (c *yamlConverter) value(n *yaml.Node, depth int) (Value, error) {
	if c.budget--; c.budget < 0 || depth > maxDepth {
		return Value{}, errors.New("the YAML is nested or repeated beyond all measure")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return c.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		out := Value{Kind: Array}
		for _, item := range n.Content {
			v, err := c.value(item, depth+1)
			if err != nil {
				return out, err
			}
			out.Kids = append(out.Kids, v)
		}
		return out, nil
	case yaml.MappingNode:
		out := Value{Kind: Object}
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := c.value(n.Content[i+1], depth+1)
			if err != nil {
				return out, err
			}
			v.Name = n.Content[i].Value
			out.Kids = append(out.Kids, v)
		}
		return out, nil
	}
	return scalar(n), nil
}

func scalar(n *yaml.Node) Value {
	quoted := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0
	switch {
	case quoted:
	case n.Tag == "!!null":
		return Value{Kind: Null}
	case n.Value == "true" || n.Value == "false":
		return Value{Kind: Bool, Text: n.Value}
	case jsonNumber.MatchString(n.Value):
		return Value{Kind: Number, Text: n.Value}
	}
	return Value{Kind: String, Text: n.Value}
}
