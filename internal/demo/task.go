package demo

// This file is the task: buying something, with all that gets in the way.

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// step is one part of the task. It acts, looks, and checks the outcome.
type step struct {
	name string
	show string // text from which on its last view is worth seeing; empty: not shown
	run  func(ctx context.Context, s *session) error
}

// orderNumber is the number of the shop's first order.
const orderNumber = "LF-2431"

// task lists the steps. Each relies on the page that the one before it left.
func task() []step {
	return []step{
		{"Open the shop", "", openShop},
		{"Go to the product list", "Showing 1 to 12", openProducts},
		{"Filter it: desk, $25 to $50, cheapest first", "", filterProducts},
		{"Open a product and put two into the cart", "Warm under the wrists", buyDeskMat},
		{"Search for a mug and add it from the list", "", buyMug},
		{"Look at the cart", "Items in your cart", openCart},
		{"Remove the mug, answering the page's dialog", "", removeMug},
		{"Decline the browser's dialog that would empty the cart", "", keepCart},
		{"Send the checkout form empty, read what is wrong", "The order was not placed", sendEmptyForm},
		{"Fill the form in, with a voucher that has expired", "", fillForm},
		{"Correct the voucher and place the order", "Thank you", placeOrder},
		{"Find the order in the sorted table", "LF-2251", checkOrders},
		{"Watch a page that changes by itself", "", watchLive},
	}
}

func openShop(ctx context.Context, s *session) error {
	if _, err := s.call(ctx, "browser_navigate", args{"url": s.url + "/"}); err != nil {
		return err
	}
	if err := s.look(ctx); err != nil {
		return err
	}
	return s.expect("Well-made things for everyday rooms", "Just arrived")
}

func openProducts(ctx context.Context, s *session) error {
	if err := s.clickAndLook(ctx, "link", "Products"); err != nil {
		return err
	}
	return s.expect("Showing 1 to 12 of 48 products", "Sold out", "$25 to $50")
}

func filterProducts(ctx context.Context, s *session) error {
	if _, err := s.click(ctx, "checkbox", "Desk"); err != nil {
		return err
	}
	if err := s.waitFor(ctx, "Showing 1 to 8 of 8 products"); err != nil {
		return err
	}
	if err := s.choose(ctx, "Sort by", "Price, low to high"); err != nil {
		return err
	}
	if err := s.choose(ctx, "Price range", "$25 to $50"); err != nil {
		return err
	}
	if err := s.waitFor(ctx, "Showing 1 to 4 of 4 products"); err != nil {
		return err
	}
	if err := s.lookAtAll(ctx); err != nil {
		return err
	}
	return s.expectInOrder("Brass Pen Tray", "Felt Desk Mat", "Letter Tray Duo", "Task Chair Cushion")
}

func buyDeskMat(ctx context.Context, s *session) error {
	if err := s.clickAndLook(ctx, "link", "Felt Desk Mat"); err != nil {
		return err
	}
	if err := s.expect("Warm under the wrists, quiet under the keys.", "$34.00"); err != nil {
		return err
	}
	if err := s.enter(ctx, "spinbutton", "Quantity", "2", false); err != nil {
		return err
	}
	if _, err := s.click(ctx, "button", "Add to cart"); err != nil {
		return err
	}
	if err := s.waitFor(ctx, "Felt Desk Mat was added to your cart"); err != nil {
		return err
	}
	if err := s.look(ctx); err != nil {
		return err
	}
	return s.expect("Cart, 2 items")
}

func buyMug(ctx context.Context, s *session) error {
	if err := s.enter(ctx, "searchbox", "Search the shop", "mug", true); err != nil {
		return err
	}
	if err := s.waitFor(ctx, "Showing 1 to 1 of 1 product"); err != nil {
		return err
	}
	if err := s.look(ctx); err != nil {
		return err
	}
	if _, err := s.click(ctx, "button", "Add Stoneware Mug to cart"); err != nil {
		return err
	}
	if err := s.waitFor(ctx, "Stoneware Mug was added to your cart"); err != nil {
		return err
	}
	if err := s.look(ctx); err != nil {
		return err
	}
	return s.expect("Cart, 3 items")
}

func openCart(ctx context.Context, s *session) error {
	if err := s.clickAndLook(ctx, "link", "Cart, 3 items"); err != nil {
		return err
	}
	return s.expect("Felt Desk Mat", "Stoneware Mug", "$86.50", "Free")
}

func removeMug(ctx context.Context, s *session) error {
	if err := s.clickAndLook(ctx, "button", "Remove Stoneware Mug"); err != nil {
		return err
	}
	if err := s.expect("Do you want to remove"); err != nil {
		return err
	}
	if err := s.clickAndLook(ctx, "button", "Remove from cart"); err != nil {
		return err
	}
	if err := s.lookAtAll(ctx); err != nil {
		return err
	}
	if err := s.expectWithout("Stoneware Mug"); err != nil {
		return err
	}
	return s.expect("$72.95", "Add $7.00 more for free delivery.")
}

func keepCart(ctx context.Context, s *session) error {
	answer, err := s.click(ctx, "button", "Empty cart")
	if err != nil {
		return err
	}
	if !strings.Contains(answer, "Empty the cart? All items will be removed.") {
		return fmt.Errorf("the browser's dialog was expected in the answer of the click, which is:\n%s", excerpt(answer, ""))
	}
	if _, err := s.call(ctx, "browser_handle_dialog", args{"accept": false}); err != nil {
		return err
	}
	if err := s.look(ctx); err != nil {
		return err
	}
	return s.expect("Felt Desk Mat", "$68.00")
}

func sendEmptyForm(ctx context.Context, s *session) error {
	if err := s.clickAndLook(ctx, "link", "Go to checkout"); err != nil {
		return err
	}
	if err := s.clickAndLook(ctx, "button", "Place order"); err != nil {
		return err
	}
	if n := s.shop.Counts().Checkouts; n != 0 {
		return fmt.Errorf("the page itself was expected to hold the form back, and the shop got it %d times", n)
	}
	return s.expect("The order was not placed", "Enter your full name", "Choose the country to deliver to", "Accept the terms of sale to place the order")
}

func fillForm(ctx context.Context, s *session) error {
	err := s.fill(ctx,
		field{"textbox", "Full name", "Ada Marsh"},
		field{"textbox", "Email address", "ada@example.com"},
		field{"textbox", "Street and number", "Mill Lane 4"},
		field{"textbox", "Postal code", "10115"},
		field{"textbox", "City", "Berlin"},
		field{"combobox", "Country", "Germany"},
		field{"textbox", "Voucher code", "OLD20"},
		field{"checkbox", "I accept the terms of sale", "true"},
	)
	if err != nil {
		return err
	}
	if err := s.clickAndLook(ctx, "button", "Place order"); err != nil {
		return err
	}
	if err := s.expectOrders(0); err != nil {
		return err
	}
	if err := s.lookAtAll(ctx); err != nil {
		return err
	}
	if err := s.expectWithout("Enter your full name"); err != nil {
		return err
	}
	return s.expect("The voucher code OLD20 is not valid or has expired", "Ada Marsh")
}

func placeOrder(ctx context.Context, s *session) error {
	if err := s.enter(ctx, "textbox", "Voucher code", "SPRING15", false); err != nil {
		return err
	}
	if err := s.clickAndLook(ctx, "button", "Place order"); err != nil {
		return err
	}
	if err := s.expectOrders(1); err != nil {
		return err
	}
	return s.expect("Thank you, your order is placed", orderNumber, "$62.75")
}

func checkOrders(ctx context.Context, s *session) error {
	if err := s.clickAndLook(ctx, "link", "Orders"); err != nil {
		return err
	}
	if err := s.expectInOrder(orderNumber, "LF-2418", "LF-2377"); err != nil {
		return err
	}
	if err := s.clickAndLook(ctx, "button", "Amount"); err != nil {
		return err
	}
	if err := s.expect("Sorted by Amount, ascending"); err != nil {
		return err
	}
	if err := s.lookAtAll(ctx); err != nil {
		return err
	}
	return s.expectInOrder("LF-2251", orderNumber, "LF-2377", "LF-2290")
}

func watchLive(ctx context.Context, s *session) error {
	if _, err := s.click(ctx, "link", "Live stock"); err != nil {
		return err
	}
	var before string
	for _, update := range []string{"Update 1:", "Update 3:"} {
		before = s.view()
		if err := s.waitFor(ctx, update); err != nil {
			return err
		}
		if err := s.look(ctx); err != nil {
			return err
		}
		if err := s.expect(update); err != nil {
			return err
		}
	}
	if s.view() == before {
		return errors.New("the page was expected to look different after two more updates, and does not")
	}
	return nil
}
