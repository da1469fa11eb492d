package sem

import "math/bits"

// opcode is an operation on 64-bit words. Registers hold a word of each vector
// of a chunk; d and d2 are written, the others read; k and k2 are immediate.
type opcode uint8

const (
	iAdd    opcode = iota // d = a + b
	iAddK                 // d = a + k
	iSub                  // d = a − b
	iRsubK                // d = k − a
	iMul                  // d = a · b
	iMulK                 // d = a · k
	iAnd                  // d = a & b
	iAndK                 // d = a & k
	iOr                   // d = a | b
	iOrK                  // d = a | k
	iXor                  // d = a ^ b
	iXorK                 // d = a ^ k
	iShl                  // d = a << b, 0 for b ≥ 64
	iShlK                 // d = a << k
	iLshr                 // d = a >> b, 0 for b ≥ 64
	iLshrK                // d = a >> k
	iAshr                 // d = a >> b signed, the sign for b ≥ 64
	iAshrK                // d = a >> k signed
	iBitsU                // d = a >> k & k2
	iBitsS                // d = a << k >> k2 signed
	iFunnel               // d = a >> k | b << (64−k)
	iJoin                 // d = a << k | b
	iEq                   // d = a == b
	iEqK                  // d = a == k
	iUlt                  // d = a < b
	iUltK                 // d = a < k
	iUgtK                 // d = a > k
	iSlt                  // d = a < b signed
	iSltK                 // d = a < k signed
	iSgtK                 // d = a > k signed
	iIte                  // d = c & 1 ? a : b
	iIteK                 // d = c & 1 ? k : b
	iIteKR                // d = c & 1 ? a : k
	iIteKK                // d = c & 1 ? k : k2
	iSltIte               // d = c < k signed ? k2 : b
	iSgtIte               // d = c > k signed ? k2 : b

	// On two words, the second the high one.
	iAdd2  // d2:d = a2:a + b2:b
	iSub2  // d2:d = a2:a − b2:b
	iMul2  // d2:d = a2:a · b2:b
	iMulU2 // d2:d = a · b, unsigned
	iMulS2 // d2:d = a · b, signed
	iShl2  // d2:d = a2:a << b2:b, shifts of 128 and more give 0
	iLshr2 // d2:d = a2:a >> b2:b, likewise
	iAshr2 // d2:d = a2:a >> b2:b signed, the sign for 128 and more
	iEq2   // d = a2:a == b2:b
	iUlt2  // d = a2:a < b2:b
	iSlt2  // d = a2:a < b2:b signed
)

type inst struct {
	op              opcode
	d, d2           int32
	a, a2, b, b2, c int32
	k, k2           uint64
}

// run executes code on the first m lanes of the registers.
func run(code []inst, regs [][]uint64, m int) {
	for i := range code {
		in := &code[i]
		if in.op >= iAdd2 {
			run2(in, regs, m)
			continue
		}
		d := regs[in.d][:m]
		a := regs[in.a][:len(d)]
		b := regs[in.b][:len(d)]
		k, k2 := in.k, in.k2
		switch in.op {
		case iAdd:
			for l := range d {
				d[l] = a[l] + b[l]
			}
		case iAddK:
			for l := range d {
				d[l] = a[l] + k
			}
		case iSub:
			for l := range d {
				d[l] = a[l] - b[l]
			}
		case iRsubK:
			for l := range d {
				d[l] = k - a[l]
			}
		case iMul:
			for l := range d {
				d[l] = a[l] * b[l]
			}
		case iMulK:
			for l := range d {
				d[l] = a[l] * k
			}
		case iAnd:
			for l := range d {
				d[l] = a[l] & b[l]
			}
		case iAndK:
			for l := range d {
				d[l] = a[l] & k
			}
		case iOr:
			for l := range d {
				d[l] = a[l] | b[l]
			}
		case iOrK:
			for l := range d {
				d[l] = a[l] | k
			}
		case iXor:
			for l := range d {
				d[l] = a[l] ^ b[l]
			}
		case iXorK:
			for l := range d {
				d[l] = a[l] ^ k
			}
		case iShl:
			for l := range d {
				d[l] = a[l] << b[l]
			}
		case iShlK:
			for l := range d {
				d[l] = a[l] << (k & 63)
			}
		case iLshr:
			for l := range d {
				d[l] = a[l] >> b[l]
			}
		case iLshrK:
			for l := range d {
				d[l] = a[l] >> (k & 63)
			}
		case iAshr:
			for l := range d {
				d[l] = uint64(int64(a[l]) >> b[l])
			}
		case iAshrK:
			for l := range d {
				d[l] = uint64(int64(a[l]) >> (k & 63))
			}
		case iBitsU:
			for l := range d {
				d[l] = a[l] >> (k & 63) & k2
			}
		case iBitsS:
			for l := range d {
				d[l] = uint64(int64(a[l]<<(k&63)) >> (k2 & 63))
			}
		case iFunnel:
			for l := range d {
				d[l] = a[l]>>(k&63) | b[l]<<((64-k)&63)
			}
		case iJoin:
			for l := range d {
				d[l] = a[l]<<(k&63) | b[l]
			}
		case iEq:
			for l := range d {
				d[l] = bit(a[l] == b[l])
			}
		case iEqK:
			for l := range d {
				d[l] = bit(a[l] == k)
			}
		case iUlt:
			for l := range d {
				d[l] = bit(a[l] < b[l])
			}
		case iUltK:
			for l := range d {
				d[l] = bit(a[l] < k)
			}
		case iUgtK:
			for l := range d {
				d[l] = bit(a[l] > k)
			}
		case iSlt:
			for l := range d {
				d[l] = bit(int64(a[l]) < int64(b[l]))
			}
		case iSltK:
			for l := range d {
				d[l] = bit(int64(a[l]) < int64(k))
			}
		case iSgtK:
			for l := range d {
				d[l] = bit(int64(a[l]) > int64(k))
			}
		case iIte:
			c := regs[in.c][:len(d)]
			for l := range d {
				d[l] = b[l] ^ (a[l]^b[l])&-(c[l]&1)
			}
		case iIteK:
			c := regs[in.c][:len(d)]
			for l := range d {
				d[l] = b[l] ^ (k^b[l])&-(c[l]&1)
			}
		case iIteKR:
			c := regs[in.c][:len(d)]
			for l := range d {
				d[l] = k ^ (a[l]^k)&-(c[l]&1)
			}
		case iIteKK:
			c, x := regs[in.c][:len(d)], k^k2
			for l := range d {
				d[l] = k2 ^ x&-(c[l]&1)
			}
		case iSltIte:
			c := regs[in.c][:len(d)]
			for l := range d {
				v := b[l]
				if int64(c[l]) < int64(k) {
					v = k2
				}
				d[l] = v
			}
		case iSgtIte:
			c := regs[in.c][:len(d)]
			for l := range d {
				v := b[l]
				if int64(c[l]) > int64(k) {
					v = k2
				}
				d[l] = v
			}
		}
	}
}

// run2 executes an instruction on two words. A result may overwrite an operand,
// so a lane's operands are read before its results are written.
func run2(in *inst, regs [][]uint64, m int) {
	d := regs[in.d][:m]
	d2 := regs[in.d2][:len(d)]
	a, a2 := regs[in.a][:len(d)], regs[in.a2][:len(d)]
	b, b2 := regs[in.b][:len(d)], regs[in.b2][:len(d)]
	var c, h uint64
	switch in.op {
	case iAdd2:
		for l := range d {
			x2, y2 := a2[l], b2[l]
			d[l], c = bits.Add64(a[l], b[l], 0)
			d2[l], _ = bits.Add64(x2, y2, c)
		}
	case iSub2:
		for l := range d {
			x2, y2 := a2[l], b2[l]
			d[l], c = bits.Sub64(a[l], b[l], 0)
			d2[l], _ = bits.Sub64(x2, y2, c)
		}
	case iMul2:
		for l := range d {
			x, y := a[l], b[l]
			h = a2[l]*y + x*b2[l]
			c, d[l] = bits.Mul64(x, y)
			d2[l] = c + h
		}
	case iMulU2:
		for l := range d {
			d2[l], d[l] = bits.Mul64(a[l], b[l])
		}
	case iMulS2:
		for l := range d {
			x, y := a[l], b[l]
			c, d[l] = bits.Mul64(x, y)
			d2[l] = c - uint64(int64(x)>>63)&y - uint64(int64(y)>>63)&x
		}
	case iShl2:
		for l := range d {
			v := Val{a2[l], a[l]}.Shl(count(Val{b2[l], b[l]}, 128))
			d[l], d2[l] = v.Lo, v.Hi
		}
	case iLshr2:
		for l := range d {
			v := Val{a2[l], a[l]}.Shr(count(Val{b2[l], b[l]}, 128))
			d[l], d2[l] = v.Lo, v.Hi
		}
	case iAshr2:
		for l := range d {
			v := Val{a2[l], a[l]}.Sar(count(Val{b2[l], b[l]}, 128))
			d[l], d2[l] = v.Lo, v.Hi
		}
	case iEq2:
		for l := range d {
			d[l] = bit((a[l]^b[l])|(a2[l]^b2[l]) == 0)
		}
	case iUlt2:
		for l := range d {
			_, c = bits.Sub64(a[l], b[l], 0)
			_, d[l] = bits.Sub64(a2[l], b2[l], c)
		}
	case iSlt2:
		const sign = 1 << 63
		for l := range d {
			_, c = bits.Sub64(a[l], b[l], 0)
			_, d[l] = bits.Sub64(a2[l]^sign, b2[l]^sign, c)
		}
	}
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}
