package shop

// This file is a visitor's cart.

import "slices"

const (
	maxQuantity     = 9
	freeShippingMin = 7500 // cents
	standardFee     = 495
	expressFee      = 1290
	giftWrapFee     = 350
)

// cartLine is one product in a cart.
type cartLine struct {
	Product  Product
	Quantity int
}

// Sum is the line's price in cents.
func (l cartLine) Sum() int { return l.Product.Price * l.Quantity }

// cart is in the order in which things were put into it.
type cart []cartLine

// Count is the number of pieces.
func (c cart) Count() int {
	n := 0
	for _, l := range c {
		n += l.Quantity
	}
	return n
}

// Subtotal is the price of the goods in cents.
func (c cart) Subtotal() int {
	sum := 0
	for _, l := range c {
		sum += l.Sum()
	}
	return sum
}

// StandardFee is what standard delivery of this cart costs, in cents.
func (c cart) StandardFee() int {
	if c.Subtotal() >= freeShippingMin {
		return 0
	}
	return standardFee
}

// add puts n more of p into the cart, at most maxQuantity in all.
func (c cart) add(p Product, n int) cart {
	if i := c.index(p.Slug); i >= 0 {
		return c.set(p.Slug, c[i].Quantity+n)
	}
	return append(c, cartLine{p, min(max(n, 1), maxQuantity)})
}

// set changes a quantity; zero takes the product out.
func (c cart) set(slug string, n int) cart {
	i := c.index(slug)
	switch {
	case i < 0:
		return c
	case n <= 0:
		return slices.Delete(c, i, i+1)
	}
	c[i].Quantity = min(n, maxQuantity)
	return c
}

func (c cart) index(slug string) int {
	return slices.IndexFunc(c, func(l cartLine) bool { return l.Product.Slug == slug })
}
