package shop

// This file is the catalogue: what the shop sells.

import (
	"fmt"
	"strings"
)

// Product is one thing on sale. Prices are in cents.
type Product struct {
	Slug     string
	Name     string
	Category string
	Price    int
	Rating   float64 // of five
	Reviews  int
	Stock    int
	Material string
	Blurb    string
	Hue      int  // colour of its picture, in degrees
	New      bool // shown with a badge
}

// categories are in the order of the filter list.
var categories = [...]string{"Lighting", "Kitchen", "Desk", "Textiles", "Garden", "Storage"}

// catalogue is written by hand; slug and colour follow from the rest. Columns:
// category, name, price, rating, reviews, stock, material, blurb.
var catalogue = [...]Product{
	{"", "Walnut Desk Lamp", "Lighting", 8900, 4.8, 212, 14, "Walnut, brass", "A slim reading lamp with a stepless dimmer in its base.", 0, true},
	{"", "Paper Moon Pendant", "Lighting", 6450, 4.5, 98, 30, "Washi paper", "A soft round light over the table, folded by hand.", 0, false},
	{"", "Harbour Wall Light", "Lighting", 7200, 4.2, 41, 9, "Galvanised steel", "Made for the porch, at home in the hallway.", 0, false},
	{"", "Opal Table Lamp", "Lighting", 5400, 4.6, 167, 22, "Opal glass", "Glows evenly from foot to top.", 0, false},
	{"", "Copper Clip Light", "Lighting", 2900, 4.1, 76, 51, "Copper, felt", "Holds on to shelves and headboards without leaving a mark.", 0, false},
	{"", "Studio Floor Lamp", "Lighting", 15900, 4.7, 54, 6, "Ash, linen", "Three legs, one switch, a wide linen shade.", 0, false},
	{"", "Candle Lantern", "Lighting", 2450, 4.4, 133, 40, "Iron, glass", "Keeps a flame steady in the wind.", 0, false},
	{"", "Night Path Lights", "Lighting", 3900, 3.9, 65, 0, "Aluminium", "A set of four that charges by day.", 0, false},

	{"", "Stoneware Mug", "Kitchen", 1850, 4.9, 540, 120, "Stoneware", "Thick walls, a wide handle, two glazes.", 0, false},
	{"", "Olive Wood Board", "Kitchen", 3600, 4.7, 231, 34, "Olive wood", "One piece, oiled twice, no two alike.", 0, false},
	{"", "Enamel Milk Pan", "Kitchen", 2750, 4.3, 88, 27, "Enamelled steel", "Pours cleanly from either side.", 0, false},
	{"", "Carbon Steel Wok", "Kitchen", 4900, 4.6, 149, 18, "Carbon steel", "Seasoned and ready for its first meal.", 0, true},
	{"", "Linen Tea Towels", "Kitchen", 1600, 4.5, 310, 88, "Linen", "Three towels that get better with washing.", 0, false},
	{"", "Glass Storage Jars", "Kitchen", 2200, 4.4, 176, 63, "Glass, cork", "Four sizes with tight cork lids.", 0, false},
	{"", "Pour-over Kettle", "Kitchen", 6900, 4.8, 205, 11, "Stainless steel", "A narrow spout and a thermometer in the lid.", 0, false},
	{"", "Herb Scissors", "Kitchen", 1450, 4.0, 59, 72, "Stainless steel", "Five blades and a comb to clean them.", 0, false},

	{"", "Oak Monitor Stand", "Desk", 7900, 4.7, 143, 16, "Oak", "Lifts a screen by eleven centimetres, hides the keyboard.", 0, true},
	{"", "Felt Desk Mat", "Desk", 3400, 4.6, 287, 58, "Wool felt", "Warm under the wrists, quiet under the keys.", 0, false},
	{"", "Brass Pen Tray", "Desk", 2600, 4.4, 92, 37, "Brass", "For pens, keys and the things from your pockets.", 0, false},
	{"", "Dotted Notebook", "Desk", 1250, 4.8, 621, 240, "Paper, cloth", "192 numbered pages that lie flat.", 0, false},
	{"", "Cable Weight", "Desk", 1900, 4.2, 118, 45, "Cast iron", "Keeps three cables from sliding off the desk.", 0, false},
	{"", "Letter Tray Duo", "Desk", 4200, 4.3, 47, 21, "Powder-coated steel", "In on the top, out at the bottom.", 0, false},
	{"", "Task Chair Cushion", "Desk", 4800, 4.1, 83, 13, "Wool, latex", "Makes a hard chair good for an afternoon.", 0, false},
	{"", "Wall Planner", "Desk", 1700, 4.5, 154, 95, "Paper", "A whole year at a glance, undated.", 0, false},

	{"", "Merino Throw", "Textiles", 11900, 4.9, 198, 12, "Merino wool", "Woven in a small mill, light and very warm.", 0, false},
	{"", "Washed Linen Sheet", "Textiles", 9800, 4.6, 122, 20, "Linen", "Cool in July, warm in January.", 0, false},
	{"", "Waffle Bath Towel", "Textiles", 3200, 4.4, 265, 70, "Cotton", "Dries fast and takes little room.", 0, true},
	{"", "Kilim Cushion", "Textiles", 4500, 4.3, 71, 25, "Wool, cotton", "Handwoven front, plain back, hidden zip.", 0, false},
	{"", "Jute Doormat", "Textiles", 2800, 4.0, 109, 44, "Jute", "Thick enough for muddy boots.", 0, false},
	{"", "Cotton Rug", "Textiles", 7600, 4.2, 64, 10, "Recycled cotton", "Flat-woven, reversible, machine washable.", 0, false},
	{"", "Sheepskin", "Textiles", 8400, 4.7, 90, 8, "Sheepskin", "For the chair that everyone wants.", 0, false},
	{"", "Picnic Blanket", "Textiles", 5200, 4.5, 137, 33, "Wool, waxed cotton", "Dry underneath and rolls up with a strap.", 0, false},

	{"", "Hand Trowel", "Garden", 2100, 4.8, 244, 66, "Forged steel, ash", "Forged in one piece, sharpened on one side.", 0, false},
	{"", "Terracotta Planter", "Garden", 3300, 4.4, 156, 29, "Terracotta", "Breathes, ages and stands firm.", 0, false},
	{"", "Watering Can", "Garden", 4100, 4.6, 132, 24, "Zinc", "Six litres and a fine brass rose.", 0, false},
	{"", "Seed Starter Tray", "Garden", 1500, 4.1, 97, 110, "Recycled plastic", "Forty cells with a clear lid.", 0, false},
	{"", "Pruning Shears", "Garden", 3700, 4.7, 301, 42, "Carbon steel", "A clean cut through two centimetres of wood.", 0, true},
	{"", "Bird Feeder", "Garden", 2650, 4.3, 178, 0, "Larch, copper", "Keeps seeds dry and squirrels puzzled.", 0, false},
	{"", "Garden Twine", "Garden", 950, 4.5, 402, 150, "Jute", "A hundred metres in a tin with a cutter.", 0, false},
	{"", "Fire Bowl", "Garden", 13900, 4.6, 58, 7, "Raw steel", "Sixty centimetres of evening.", 0, false},

	{"", "Canvas Laundry Bag", "Storage", 3900, 4.4, 115, 31, "Canvas, leather", "Stands by itself and carries a week.", 0, false},
	{"", "Peg Rail", "Storage", 3500, 4.7, 189, 39, "Beech", "Five pegs, two screws, one tidy hall.", 0, false},
	{"", "Seagrass Basket", "Storage", 2950, 4.5, 223, 52, "Seagrass", "Holds logs, toys or a small dog.", 0, false},
	{"", "Stacking Crate", "Storage", 2300, 4.2, 147, 80, "Pine", "Stacks, hangs and rolls with the set of wheels.", 0, false},
	{"", "Shoe Bench", "Storage", 12900, 4.6, 49, 5, "Oak", "Sit down, tie up, go out.", 0, false},
	{"", "Magnetic Key Shelf", "Storage", 2700, 4.3, 84, 28, "Walnut, magnets", "Catches keys with a click.", 0, true},
	{"", "Linen Storage Box", "Storage", 2500, 4.1, 101, 61, "Linen, card", "A lid, a label, a place on the shelf.", 0, false},
	{"", "Wall Hook Trio", "Storage", 1950, 4.8, 260, 93, "Brass", "Three solid hooks that outlast the coat.", 0, false},
}

// newCatalogue fills in what follows from a product's name and place.
func newCatalogue() []Product {
	all := make([]Product, len(catalogue))
	for i, p := range catalogue {
		p.Slug = strings.ReplaceAll(strings.ToLower(p.Name), " ", "-")
		p.Hue = (i*47 + 20) % 360
		all[i] = p
	}
	return all
}

// money writes cents as dollars.
func money(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s$%d.%02d", sign, cents/100, cents%100)
}
