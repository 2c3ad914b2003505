package aria

// This file holds the view as the rest of the program sees it.

// View is a page as it is shown: the tree without wrappers and repetitions.
// The options' Refs, URLs and Format say how it is written.
type View struct {
	Tree *Tree
	opt  Options
	view *view
	// stubs has what each stub stands for; nil if there are none.
	stubs map[int32]leftOut
	text  string // what Render wrote, once it did
	// lines is the number of lines of text; -1 before it is written.
	lines int
}

// NewView makes the view of a tree.
func NewView(t *Tree, o Options) *View {
	v := &View{Tree: t, opt: o, lines: -1}
	v.view = buildView(t, planHandles(t, o.Handles), &v.opt)
	// Views are kept: what was reserved and not needed is given back.
	v.view.items = append([]item(nil), v.view.items...)
	return v
}

// Render returns the view as text and the number of its lines, without the
// first line and the rest of an answer.
func (v *View) Render() (text string, lines int) {
	if v.lines < 0 {
		var out []byte
		if v.opt.Format == FormatYAML {
			out, lines = renderYAML(nil, v.view, &v.opt)
		} else {
			out, lines = renderDense(nil, v.view, &v.opt)
		}
		v.text, v.lines = string(out), lines
	}
	return v.text, v.lines
}

// Cut returns how many characters of running text the view leaves out.
func (v *View) Cut() int { return v.view.cut }

// Handle is an element that the view shows with a handle.
type Handle struct {
	// Text is what stands in the brackets: a number, or upstream's ref.
	Text string
	// Ref is upstream's.
	Ref string
	// Number is the session's, 0 if the tree was not identified.
	Number int
	// Role and Label describe the element; a plain one has no role.
	Role, Label string
}

// Handles returns the elements that the view shows with a handle, in order.
func (v *View) Handles() []Handle {
	handles := make([]Handle, 0, v.view.handles)
	v.view.visit(0, func(c int32) {
		if it := &v.view.items[c]; it.handle != "" {
			handles = append(handles, Handle{
				Text: string(appendHandle(nil, it, &v.opt)),
				Ref:  it.handle, Number: int(it.number), Role: it.role, Label: it.label,
			})
		}
	})
	return handles
}

// visit calls f with every item inside item i, in the order they are shown.
func (v *view) visit(i int32, f func(int32)) {
	for c := v.items[i].first; c != 0; c = v.items[c].next {
		f(c)
		v.visit(c, f)
	}
}
