package aria

// This file estimates what a text costs its reader.

// Hundredths of a token, fitted to o200k_base on views, deltas and outlines of
// recorded pages. Nine of ten are estimated within 10 %; bytes alone say little,
// since a token has 2.4 of them in a table of numbers and 4.8 in prose.
const (
	wordCost    = 104 // letters up to what is none
	digitsCost  = 109 // up to three digits
	signsCost   = 113 // other characters of ASCII up to a letter, digit or blank
	foreignCost = 40  // a letter of another alphabet
	symbolCost  = 70  // kana, and punctuation and symbols beyond ASCII
	wideCost    = 145 // an ideograph
)

// EstimateTokens estimates how many tokens of o200k_base a text has.
func EstimateTokens(text string) int {
	const (
		none = iota
		letter
		digit
		sign
	)
	cost, last, digits := 0, none, 0
	for _, r := range text {
		kind := none
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xc0 && r < 0x370:
			if kind = letter; last != letter {
				cost += wordCost
			}
		case r >= '0' && r <= '9':
			kind = digit
			if last != digit {
				digits = 0
			}
			if digits%3 == 0 {
				cost += digitsCost
			}
			digits++
		case r == ' ':
		case r < 0x80:
			if kind = sign; last != sign {
				cost += signsCost
			}
		case r >= 0x370 && r < 0x2000:
			cost += foreignCost
		case r < 0x3100:
			cost += symbolCost
		default:
			cost += wideCost
		}
		last = kind
	}
	return (cost + 99) / 100
}
