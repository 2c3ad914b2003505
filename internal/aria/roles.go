package aria

// This file holds what is known about each role.

// roleInfo says how a role takes part in the plan and in the view.
type roleInfo uint16

const (
	// actionable: a node of this role keeps its handle.
	actionable roleInfo = 1 << iota
	// covering: acting on the node is what acting on anything inside it
	// does, so plain nodes inside it need no handle of their own.
	covering
	// wrapper: the role says nothing to a reader when it has no name.
	wrapper
	// fromContent: the accessible name is computed from the content, so
	// content that repeats it can go.
	fromContent
	// valued: the node's own text is its value, never its label.
	valued
	// cell: a cell of a table; its row shows it.
	cell
	// message: the node's text is a label or message and is never cut.
	message
	// block: the node starts a line of its own.
	block
	// phrase: the node is part of the sentence around it.
	phrase
	// landmark: a block that is a section when it stands at the top.
	landmark
)

// roles has one row for each role that upstream can print.
var roles = map[string]roleInfo{
	"alert":            message | block,
	"alertdialog":      message | block | landmark,
	"application":      block | landmark,
	"article":          wrapper,
	"banner":           block | landmark,
	"blockquote":       0,
	"button":           actionable | covering | fromContent,
	"caption":          wrapper,
	"cell":             wrapper | fromContent | cell,
	"checkbox":         actionable | covering | fromContent | valued,
	"code":             wrapper | phrase,
	"columnheader":     fromContent | cell | message,
	"combobox":         actionable | covering | valued,
	"complementary":    block | landmark,
	"contentinfo":      block | landmark,
	"definition":       wrapper,
	"deletion":         phrase,
	"dialog":           block | landmark,
	"directory":        wrapper,
	"document":         wrapper,
	"emphasis":         wrapper | phrase,
	"feed":             block,
	"figure":           wrapper,
	"form":             block | landmark,
	"generic":          wrapper,
	"grid":             block,
	"gridcell":         actionable | wrapper | fromContent | cell,
	"group":            wrapper,
	"heading":          fromContent | message | block,
	"iframe":           actionable | block,
	"img":              0,
	"insertion":        wrapper | phrase,
	"link":             actionable | covering | fromContent,
	"list":             wrapper,
	"listbox":          actionable,
	"listitem":         wrapper,
	"log":              block,
	"main":             block | landmark,
	"mark":             wrapper | phrase,
	"marquee":          0,
	"math":             wrapper | phrase,
	"meter":            valued,
	"menu":             0,
	"menubar":          0,
	"menuitem":         actionable | covering | fromContent,
	"menuitemcheckbox": actionable | covering | fromContent,
	"menuitemradio":    actionable | covering | fromContent,
	"navigation":       block | landmark,
	"none":             wrapper,
	"note":             0,
	"option":           actionable | covering | fromContent,
	"paragraph":        wrapper,
	"presentation":     wrapper,
	"progressbar":      valued,
	"radio":            actionable | covering | fromContent | valued,
	"radiogroup":       0,
	"region":           block | landmark,
	"row":              fromContent | block,
	"rowgroup":         wrapper,
	"rowheader":        wrapper | fromContent | cell | message,
	"scrollbar":        actionable | valued,
	"search":           block | landmark,
	"searchbox":        actionable | covering | valued,
	"separator":        0,
	"slider":           actionable | covering | valued,
	"spinbutton":       actionable | covering | valued,
	"status":           message,
	"strong":           wrapper | phrase,
	"subscript":        wrapper | phrase,
	"superscript":      wrapper | phrase,
	"switch":           actionable | covering | fromContent | valued,
	"tab":              actionable | covering | fromContent,
	"table":            block,
	"tablist":          0,
	"tabpanel":         block,
	"term":             wrapper | phrase,
	"textbox":          actionable | covering | valued,
	"time":             wrapper | phrase,
	"timer":            message,
	"toolbar":          0,
	"tooltip":          fromContent | message,
	"tree":             block,
	"treegrid":         block,
	"treeitem":         actionable | fromContent,
}
