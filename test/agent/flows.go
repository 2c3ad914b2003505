// Longer pieces of work, for measuring what they cost.

package agent

import "strconv"

// Flow is a piece of work with a name for reports.
type Flow struct {
	Name string
	Task Task
}

// Flows are the pieces of work that are measured.
func Flows() []Flow {
	var all []Flow
	for _, items := range []int{8, 20, 100} {
		all = append(all, Flow{"to-do, " + strconv.Itoa(items) + " items", Task{
			Name: "to-do", Page: "/apps/todo.html?items=" + strconv.Itoa(items),
			Do: func(a *Agent) { todoFlow(a, items) }, Report: "todo: deleted Buy stamps",
		}})
	}
	return append(all,
		Flow{"checkout", Task{"checkout", "/apps/checkout.html", checkout, "checkout: ordered"}},
		Flow{"grid", Task{"grid", "/apps/grid.html", grid, "grid: opened 1143"}},
		Flow{"navigation", Task{"handbook", "/apps/handbook.html?page=1", everyPage, ""}},
	)
}

// todoFlow is ten steps after the opening one, each of which renders the list
// anew, and each of which has to be seen.
func todoFlow(a *Agent, items int) {
	left := func(n int) { a.See(strconv.Itoa(n) + " tasks left") }
	a.Click("checkbox", "Call the bank")
	left(items - 1)
	a.Click("checkbox", "Pay the rent")
	left(items - 2)
	a.Type("What needs doing?", "Walk the dog")
	a.Click("button", "Add")
	left(items - 1)
	a.Click("checkbox", "Walk the dog")
	left(items - 2)
	a.Click("button", "Delete Send the parcel")
	left(items - 3)
	a.Click("checkbox", "Pay the rent")
	left(items - 2)
	a.Type("What needs doing?", "Wash the car")
	a.Click("button", "Add")
	left(items - 1)
	a.Click("button", "Delete Buy stamps")
	left(items - 2)
}

// everyPage reads the ten pages of the handbook.
func everyPage(a *Agent) {
	for page := 2; page <= 10; page++ {
		a.Follow("Next page")
		a.See("page " + strconv.Itoa(page))
	}
}
