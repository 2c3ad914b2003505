package playwright

// What PlayGuard has to say beside an answer: notes and hints.

import (
	"fmt"
	"strings"

	"github.com/playguard/playguard/internal/upstream"
)

// noted adds to an answer what PlayGuard has to say besides: behind its own
// first line, if it has one. Called with mu.
func (r *row) noted(text string, call *upstream.Call, asked request) string {
	notes := asked.note
	if hint := r.hint(call, asked); hint != "" {
		call.Log.Hinted = true
		notes = strings.TrimPrefix(notes+"\n"+hint, "\n")
	}
	if notes == "" {
		return text
	}
	if first, rest, more := strings.Cut(text, "\n"); strings.HasPrefix(first, "[PlayGuard") {
		if !more {
			return first + "\n" + notes
		}
		return first + "\n" + notes + "\n" + rest
	}
	return notes + "\n" + text
}

// hintedControls is how many controls a hint names.
const hintedControls = 5

// hint names a few controls to an agent that keeps looking and does nothing.
func (r *row) hint(call *upstream.Call, asked request) string {
	limit, looks := r.config.HintThreshold, call.Log.SnapCount
	if limit == 0 || looks == 0 || looks%limit != 0 || asked.raw {
		return ""
	}
	page := r.pages.current
	if page == nil || page.view == nil {
		return ""
	}
	var controls []string
	for _, h := range page.view.Handles() {
		if len(controls) < hintedControls && controlRoles[h.Role] && h.Label != "" {
			controls = append(controls, fmt.Sprintf("%s [%s]", label(h.Role, shortened(h.Label, 40)), h.Text))
		}
	}
	if len(controls) == 0 {
		return ""
	}
	return fmt.Sprintf("[PlayGuard: %d looks without an action. Controls: %s]", looks, strings.Join(controls, ", "))
}

// controlRoles are the roles of what a user operates.
var controlRoles = words(`button link textbox searchbox combobox listbox checkbox radio switch slider spinbutton
	tab menuitem menuitemcheckbox menuitemradio option treeitem`)
