// A task on every application of the site.

package agent

// Tasks are the tasks, each with its checks of what was delivered.
func Tasks() []Task {
	return []Task{
		{"to-do", "/apps/todo.html", todo, "todo: cleared"},
		{"checkout", "/apps/checkout.html", checkout, "checkout: ordered"},
		{"grid", "/apps/grid.html", grid, "grid: opened 1143"},
		{"virtual list", "/apps/virtual.html", virtual, "virtual: Station 1000"},
		{"shadow", "/apps/shadow.html", shadow, "shadow: plain"},
		{"frames", "/apps/frames.html", frames, "frames: third"},
		{"canvas", "/apps/canvas.html", canvas, "canvas: wiped"},
		{"selects", "/apps/selects.html", selects, "selects: colour is Teal"},
		{"radios", "/apps/radios.html", radios, "radios: news on"},
		{"modal", "/apps/modal.html", modal, "modal: removed"},
		{"alerts", "/apps/alerts.html", alerts, "alerts: name is Ada"},
		{"editable", "/apps/editable.html", editable, "editable: Second draft"},
		{"upload", "/apps/upload.html", upload, "upload: notes.txt"},
		{"disabled", "/apps/disabled.html", disabled, "disabled: signed"},
		{"icons", "/apps/icons.html", icons, "icons: i"},
		{"listeners", "/apps/listeners.html", listeners, "listeners: enter"},
		{"same label", "/apps/same.html", sameLabel, "same: row6"},
		{"right to left", "/apps/rtl.html", rightToLeft, "rtl: sent"},
		{"imitation", "/apps/imitation.html", imitate, "imitation: bought"},
		{"live regions", "/apps/live.html", live, "live: said"},
		{"clock", "/apps/clock.html", clock, "clock: stopped"},
		{"handbook", "/apps/handbook.html?page=1", handbook, ""},
	}
}

func todo(a *Agent) {
	a.See("Call the bank", "8 tasks left")
	a.Click("checkbox", "Call the bank")
	a.See("[checked]", "7 tasks left")
	a.Type("What needs doing?", "Walk the dog")
	a.Click("button", "Add")
	a.See("Walk the dog", "8 tasks left")
	a.Click("button", "Delete Pay the rent")
	a.See("7 tasks left")
	a.Click("checkbox", "Walk the dog")
	a.See("6 tasks left")
	a.Click("button", "Open")
	a.Click("button", "Delete Buy stamps")
	a.See("5 tasks left")
	a.Click("button", "Done")
	a.See("Walk the dog")
	a.Click("button", "Clear completed")
}

func checkout(a *Agent) {
	a.Click("button", "Place order")
	a.See("Please enter your name.", "The postal code has five digits.", "Please accept the terms.")
	a.Fill(Field{"textbox", "Full name", "Ada Adler"}, Field{"textbox", "E-mail", "ada"}, Field{"textbox", "Street and number", "Quay 1"},
		Field{"textbox", "Postal code", "12345"}, Field{"combobox", "Country", "Italy"})
	a.Click("radio", "Express, tomorrow")
	a.Click("checkbox", "I accept the terms")
	a.Click("button", "Place order")
	a.Recall("Please enter a valid e-mail address.")
	a.Miss("Please enter your name.")
	a.Type("E-mail", "ada@example.org")
	a.Click("button", "Place order")
	a.Await("Order 4711 placed")
	a.Click("button", "Dismiss")
	a.Miss("Order 4711 placed [")
}

func grid(a *Agent) {
	a.See("Page 1 of 20, 500 customers")
	a.Click("button", "Orders")
	a.Click("button", "Next")
	a.See("Page 2 of 20")
	a.Click("button", "Last")
	a.Click("button", "Previous")
	a.See("Page 19 of 20")
	a.Act("browser_type", Args{"element": "Search", "target": a.find("searchbox", "Search", a.known), "text": "dan d"})
	a.See("8 customers")
	a.Click("button", "Number")
	a.ClickIn("Dan Dietz 144", "button", "Open")
	a.See("Opened Dan Dietz 144")
}

func virtual(a *Agent) {
	a.Click("option", "Station 3")
	a.See("Picked Station 3")
	a.Press("End")
	a.Await("Station 1000")
	a.Click("option", "Station 1000")
	a.See("Picked Station 1000")
}

func shadow(a *Agent) {
	a.Click("button", "Inner switch")
	a.See("inner was pressed")
	a.Type("In shadow", "dusk")
	a.Click("button", "Slotted")
	a.See("slotted was pressed")
	a.Click("", "Plain part")
	a.See("plain was pressed")
}

func frames(a *Agent) {
	a.Click("button", "Press first")
	a.See("first was pressed")
	a.Click("button", "Press second")
	a.See("second was pressed")
	a.Click("button", "Press third")
	a.See("third was pressed")
}

func canvas(a *Agent) {
	a.Click("img", "Board")
	a.See("1 dots")
	a.Click("button", "Wipe the board")
	a.See("Wiped")
}

func selects(a *Agent) {
	a.See("Small", "Passau", "Truffle")
	a.Choose("combobox", "Size", "Large")
	a.See("size is Large")
	a.Choose("listbox", "Toppings", "Cheese", "Basil")
	a.See("toppings is Cheese+Basil")
	a.Choose("combobox", "City", "Ulm")
	a.See("city is Ulm")
	a.Click("button", "Colour: none")
	a.Click("option", "Teal")
	a.See("colour is Teal")
}

func radios(a *Agent) {
	a.Click("radio", "Yearly")
	a.See("Chosen: year")
	a.Click("", "Twenty seats")
	a.See("Chosen: year, 20")
	a.Click("", "Newsletter")
	a.See("on")
}

func modal(a *Agent) {
	a.Click("button", "Remove")
	a.See("Remove the file?", "This cannot be undone.")
	a.Click("button", "Remove for good")
	a.See("Really?")
	a.Click("button", "Yes, really")
	a.See("Removed")
}

func alerts(a *Agent) {
	a.Click("button", "Warn")
	a.See("Mind the gap", "browser_handle_dialog")
	a.Answer(true, "")
	a.See("warned")
	a.Click("button", "Ask")
	a.See("Go on?")
	a.Answer(false, "")
	a.See("stopped")
	a.Click("button", "Name")
	a.Answer(true, "Ada")
	a.See("name is Ada")
}

func editable(a *Agent) {
	a.Click("button", "Bold")
	a.See("[pressed]")
	a.Type("Note", "Second draft")
	a.See("12 characters")
	a.Click("button", "Save")
	a.See("Saved: Second draft")
}

func upload(a *Agent) {
	a.See("[disabled]")
	a.Click("button", "Choose a file")
	a.Upload()
	a.See("Chosen: notes.txt")
	a.Click("button", "Send")
	a.Await("Sent 5 bytes")
}

func disabled(a *Agent) {
	a.See("[disabled]")
	a.Click("checkbox", "I have read it")
	a.Type("Witness", "Bo")
	a.Click("button", "Stamp")
	a.See("stamped for Bo")
	a.Click("button", "Sign")
	a.See("signed")
}

func icons(a *Agent) {
	a.Click("button", "Archive")
	a.See("Pressed a")
	a.Click("button", "Trash")
	a.See("Pressed t")
	a.Click("button", "Star")
	a.See("Pressed s")
	a.Click("button", "Mail")
	a.See("Pressed i")
}

func listeners(a *Agent) {
	for _, e := range []struct{ label, heard string }{{"Plain box", "plain"}, {"Delegated two", "delegated 2"}, {"Mouse down", "down"}, {"Tab stop", "tab"}, {"Inline handler", "inline"}} {
		a.Click("", e.label)
		a.See("Heard " + e.heard)
	}
	a.Click("button", "Card button")
	a.See("Heard inner")
	a.Click("button", "Keys")
	a.Press("Enter")
	a.See("Heard enter")
}

func sameLabel(a *Agent) {
	a.ClickIn("Paragraph 3", "button", "Edit")
	a.See("Editing row2")
	a.ClickIn("Paragraph 7", "button", "Edit")
	a.See("Editing row6")
}

func rightToLeft(a *Agent) {
	a.Type("שם מלא", "דנה")
	a.Click("button", "שלח עכשיו")
	a.See("נשלח אל דנה")
}

func imitate(a *Agent) {
	a.Type("Amount", "5")
	a.Click("button", "Buy")
	a.See("bought 1")
}

func live(a *Agent) {
	a.Click("button", "Start")
	a.See("Transfer finished")
	a.Click("button", "Fail")
	a.See("Disk is full")
	a.Click("button", "Say hello")
	a.See("Me: hello", "1 message sent")
}

func clock(a *Agent) {
	a.Click("button", "Lap")
	a.See("Lap taken")
	a.Click("button", "Stop the clock")
	a.See("Stopped")
}

func handbook(a *Agent) {
	for _, page := range []string{"page 2", "page 3", "page 4"} {
		a.Follow("Next page")
		a.See(page)
	}
}
