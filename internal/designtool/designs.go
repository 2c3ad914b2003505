package designtool

// The Figma side: getting the nodes of all pairs with few calls.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/playguard/playguard/internal/figmatree"
	"github.com/playguard/playguard/internal/jsonrpc"
	"github.com/playguard/playguard/internal/upstream"
)

// atOnce is how many nodes are asked for at the same time: Figma limits the rate.
const atOnce = 4

// designs gets nodes. A node that came with another one is not asked for.
type designs struct {
	Options
	ask upstream.Ask

	mu    sync.Mutex
	known map[string][]*figmatree.Document // by file
}

// gotten is a node, or why there is none.
type gotten struct {
	node *figmatree.Node
	err  error
}

func newDesigns(o Options, ask upstream.Ask) *designs {
	return &designs{Options: o, ask: ask, known: map[string][]*figmatree.Document{}}
}

// nodes gets the nodes of all pairs, in their order.
func (d *designs) nodes(ctx context.Context, pairs []pair) []gotten {
	out := make([]gotten, len(pairs))
	// The first may hold the others.
	out[0].node, out[0].err = d.node(ctx, pairs[0].node)
	var work sync.WaitGroup
	room := make(chan struct{}, atOnce)
	asked := map[nodeRef]int{pairs[0].node: 0} // who asks for a node
	for i := 1; i < len(pairs); i++ {
		ref := pairs[i].node
		if _, same := asked[ref]; same {
			continue
		}
		asked[ref] = i
		room <- struct{}{}
		work.Go(func() {
			defer func() { <-room }()
			out[i].node, out[i].err = d.node(ctx, ref)
		})
	}
	work.Wait()
	for i := range pairs {
		out[i] = out[asked[pairs[i].node]]
	}
	return out
}

func (d *designs) node(ctx context.Context, ref nodeRef) (*figmatree.Node, error) {
	if n := d.find(ref); n != nil {
		return n, nil
	}
	args := jsonrpc.SetMember(nil, "nodeId", jsonrpc.Quote(ref.id))
	if ref.file != "" {
		args = jsonrpc.SetMember(args, "fileKey", jsonrpc.Quote(ref.file))
	}
	result, err := d.ask(ctx, d.Figma, d.DesignTool, args)
	if err != nil {
		return nil, err
	}
	text, failed := textOf(result)
	if failed {
		return nil, errors.New(firstLine(text))
	}
	document, err := figmatree.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("the design is not understood (%w): the Figma server must send json or yaml (OUTPUT_FORMAT)", err)
	}
	d.mu.Lock()
	d.known[ref.file] = append(d.known[ref.file], document)
	d.mu.Unlock()
	if n := document.Node(ref.id); n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("Figma's answer does not hold the node %s", ref.id) //lint:ignore ST1005 a name
}

// find looks for a node in what has come already.
func (d *designs) find(ref nodeRef) *figmatree.Node {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, document := range d.known[ref.file] {
		if n := document.Node(ref.id); n != nil {
			return n
		}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}
