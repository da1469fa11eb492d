package rechain

import "github.com/ptxlower/ptxlower/ir"

// merge adds up what stands in the words from … to−1, of which ws[i] are the
// parts of word from+i, in chains of additions with carry; a carry out of the
// last word is lost.
func (c *code) merge(ws [][]word) []word {
	n := len(ws)
	tall := func(from int) bool {
		for _, x := range ws[from:] {
			if len(x) > 2 {
				return true
			}
		}
		return false
	}
	for tall(0) { // a third part: one chain more
		at := 0
		for len(ws[at]) <= 2 {
			at++
		}
		var cin *ir.Value
		for ; at < n && (cin != nil || tall(at)); at++ {
			x := ws[at]
			switch k := len(x); {
			case k > 2:
				var s word
				s, cin = c.plus(x[k-1], x[k-2], cin, at < n-1)
				ws[at] = append(x[:k-2:k-2], s)
			case cin != nil && k == 2:
				var s word
				s, cin = c.plus(x[1], word{}, cin, at < n-1)
				ws[at] = append(x[:1:1], s)
			case cin != nil:
				s, _ := c.plus(word{}, word{}, cin, false)
				ws[at], cin = append(x[:k:k], s), nil
			}
		}
	}
	out := make([]word, n)
	var cin *ir.Value
	for at, x := range ws {
		if cin == nil && len(x) < 2 {
			if len(x) == 1 {
				out[at] = x[0]
			}
			continue
		}
		two := append(x[:len(x):len(x)], word{}, word{})
		out[at], cin = c.plus(two[0], two[1], cin, at < n-1 && len(x) > 0)
	}
	return out
}

// subtract takes ys from xs; the borrow of the last word is lost.
func (c *code) subtract(xs, ys []word) {
	var cin *ir.Value
	for i := range xs {
		if cin == nil && ys[i].zero() {
			continue
		}
		if last := i == len(xs)-1; last && cin != nil && ys[i].zero() && !xs[i].zero() && isK(xs[i].v, 1) {
			xs[i], cin = c.plus(word{}, word{}, cin, false) // 1 − borrow
		} else {
			xs[i], cin = c.minus(xs[i], ys[i], cin, !last)
		}
	}
}
