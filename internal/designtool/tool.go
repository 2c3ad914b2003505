// Package designtool is the tool playguard_compare_design: it gets a design from
// the Figma server and computed styles from the page that the browser tools have
// open, and has package designdiff compare them.
package designtool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/playguard/playguard/internal/designdiff"
	"github.com/playguard/playguard/internal/figmatree"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

// Name is the tool's name.
const Name = "playguard_compare_design"

// definition is read in every session, so it says only what can't be guessed.
const definition = `{"name":"` + Name + `","description":"Exact style differences between Figma nodes and the live elements that implement them. One pair, many pairs, or autoMap.","inputSchema":{"type":"object","properties":{` +
	`"figmaNodeId":{"type":"string","description":"Node id or its Figma URL"},` +
	`"browserSelector":{"type":"string","description":"Handle or CSS selector"},` +
	`"pairs":{"type":"array","items":{"type":"object","properties":{"figmaNodeId":{"type":"string"},"browserSelector":{"type":"string"}},"required":["figmaNodeId","browserSelector"]}},` +
	`"autoMap":{"type":"boolean","description":"Find elements of the layers below figmaNodeId by data-figma-id, data-testid, id, class or text"},` +
	`"fileKey":{"type":"string","description":"Default: the file last read"},` +
	`"properties":{"type":"array","items":{"type":"string"},"description":"CSS names like fontSize, padding. Default: per node"},` +
	`"format":{"type":"string","enum":["text","json"]}}},` +
	`"annotations":{"readOnlyHint":true}}`

// Options is what the tool works with.
type Options struct {
	Tolerance designdiff.Tolerance
	// Figma and Browser name the upstreams and the tools that they are asked by.
	Figma, DesignTool     string
	Browser, ElementsTool string
	// Missing says why the tool can't work with these settings; empty if it can.
	Missing string
}

// Tool returns the tool.
func Tool(o Options) upstream.Own {
	return upstream.Own{
		Definition: mcp.Tool(definition),
		Unlisted:   o.Missing != "",
		Handle: func(ctx context.Context, call *upstream.Call) ([]byte, error) {
			if o.Missing != "" {
				return mcp.ErrorResult(o.Missing), nil
			}
			q, problem := readQuery(call.Arguments())
			if problem != "" {
				return mcp.ErrorResult(problem), nil
			}
			call.Log.FileKey, call.Log.NodeID = q.pairs[0].node.file, q.pairs[0].node.id
			c := &comparer{Options: o, query: q, designs: newDesigns(o, call.Ask), ask: call.Ask}
			report, err := c.compare(ctx)
			if err != nil {
				return nil, err
			}
			text := report.Text()
			if q.json {
				if text, err = report.JSON(); err != nil {
					return nil, err
				}
			}
			if n := len(report.Pairs); n > 0 && report.Counts().Failed == n {
				return mcp.ErrorResult(text), nil // nothing was compared
			}
			return mcp.TextResult(text), nil
		},
	}
}

// comparer is one call.
type comparer struct {
	Options
	query   query
	designs *designs
	ask     upstream.Ask
}

func (c *comparer) compare(ctx context.Context) (*designdiff.Report, error) {
	nodes := c.designs.nodes(ctx, c.query.pairs)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.query.autoMap {
		if nodes[0].err != nil {
			return nil, nodes[0].err
		}
		return c.autoMap(ctx, nodes[0].node)
	}
	report := &designdiff.Report{Pairs: make([]designdiff.Pair, len(nodes))}
	var targets []target
	var at []int // the pair that each target belongs to
	for i, n := range nodes {
		report.Pairs[i] = designdiff.Pair{Node: c.query.pairs[i].node.id, Selector: c.query.pairs[i].selector}
		if n.err != nil {
			report.Pairs[i].Error = n.err.Error()
			continue
		}
		targets = append(targets, target{c.query.pairs[i].selector, designdiff.Target{Label: designdiff.LabelText(n.node)}})
		at = append(at, i)
	}
	readings, err := c.read(ctx, targets)
	if err != nil {
		return nil, err
	}
	for k, reading := range readings {
		p := &report.Pairs[at[k]]
		if reading.Element == nil {
			p.Error = c.selectorError(p.Selector, reading.Error)
			continue
		}
		p.Rows = designdiff.Compare(nodes[at[k]].node, reading.Element, c.Tolerance, c.query.properties)
		p.Hidden = reading.Element.Hidden
	}
	return report, nil
}

// selectorError says what is wrong with a selector. A handle's error is a
// sentence already.
func (c *comparer) selectorError(selector, why string) string {
	if why == "" {
		why = "gave nothing"
	}
	if strings.HasSuffix(why, ".") {
		return why
	}
	return fmt.Sprintf("%s %s.", selector, why)
}

// autoMap compares the layers below a node with the elements that they are
// found to be.
func (c *comparer) autoMap(ctx context.Context, node *figmatree.Node) (*designdiff.Report, error) {
	scope := c.query.pairs[0].selector
	layers, nodes, cut := designdiff.LayersOf(node, scope == "")
	targets := []target{{scope, designdiff.Target{Layers: layers}}}
	if scope != "" { // the node's own element is known
		targets = append(targets, target{scope, designdiff.Target{Label: designdiff.LabelText(node)}})
	}
	readings, err := c.read(ctx, targets)
	if err != nil {
		return nil, err
	}
	for _, r := range readings {
		if r.Error != "" {
			return nil, errors.New(c.selectorError(scope, r.Error))
		}
	}
	report := &designdiff.Report{AutoMap: node.ID, Cut: cut}
	if scope != "" && designdiff.Comparable(node) && readings[1].Element != nil {
		report.Pairs = append(report.Pairs, designdiff.Pair{
			Node: node.ID, Name: node.Name, Selector: scope, How: "browserSelector",
			Rows: designdiff.Compare(node, readings[1].Element, c.Tolerance, c.query.properties), Hidden: readings[1].Element.Hidden,
		})
	}
	for i, found := range readings[0].Layers {
		if i >= len(nodes) {
			break
		}
		if found.Element == nil {
			report.Unmapped = append(report.Unmapped, designdiff.Unmapped{Node: nodes[i].ID, Name: nodes[i].Name, Why: found.Why})
			continue
		}
		report.Pairs = append(report.Pairs, designdiff.Pair{
			Node: nodes[i].ID, Name: nodes[i].Name, Selector: found.Selector, How: found.How,
			Rows: designdiff.Compare(nodes[i], found.Element, c.Tolerance, c.query.properties), Hidden: found.Element.Hidden,
		})
	}
	return report, nil
}

// target is an element to read.
type target struct {
	selector string // as the agent gave it
	what     designdiff.Target
}

// read reads all targets in one call of the browser.
func (c *comparer) read(ctx context.Context, targets []target) ([]designdiff.Reading, error) {
	if len(targets) == 0 {
		return nil, nil
	}
	selectors := make([]string, len(targets))
	request := designdiff.Request{Targets: make([]designdiff.Target, len(targets))}
	for i, t := range targets {
		selectors[i] = t.selector
		request.Targets[i] = t.what
		request.Targets[i].Selector = t.selector
	}
	list, err := json.Marshal(selectors)
	if err != nil {
		return nil, err
	}
	param, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	args := jsonrpc.SetMember(nil, "targets", list)
	args = jsonrpc.SetMember(args, "function", jsonrpc.Quote(designdiff.Script))
	args = jsonrpc.SetMember(args, "param", param)
	result, err := c.ask(ctx, c.Browser, c.ElementsTool, args)
	if err != nil {
		return nil, err
	}
	text, failed := textOf(result)
	if failed {
		return nil, errors.New("The page could not be read: " + strings.TrimSpace(strings.TrimPrefix(text, "### Error\n")))
	}
	var readings []designdiff.Reading
	if err := json.Unmarshal([]byte(text), &readings); err != nil || len(readings) != len(targets) {
		return nil, fmt.Errorf("the page's answer is not understood: %.200s", text)
	}
	return readings, nil
}

// textOf returns the text of a result and whether it is an error.
func textOf(result []byte) (text string, failed bool) {
	for _, t := range mcp.Texts(result) {
		text += t.Text
	}
	return text, mcp.IsError(result)
}
