package main

import (
	"fmt"
	"maps"
	"math/big"
	"strings"

	"github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// algebra is what the operations of the language mean: numbers for the
// interpreter, instructions for the compiler.
type algebra[V any] interface {
	constant(n *big.Int) V
	operate(op byte, x, y V) V
}

// evaluate is the value of an expression in an algebra; calls are expanded.
func evaluate[V any](a algebra[V], e expr, env map[string]V) V {
	switch e := e.(type) {
	case number:
		return a.constant(e.n)
	case variable:
		return env[e.name]
	case operator:
		x := evaluate(a, e.x, env)
		return a.operate(e.op, x, evaluate(a, e.y, env))
	case let:
		inner := maps.Clone(env)
		inner[e.name] = evaluate(a, e.value, env)
		return evaluate(a, e.body, inner)
	}
	c := e.(call)
	inner := map[string]V{}
	for i, p := range c.f.params {
		inner[p] = evaluate(a, c.args[i], env)
	}
	return evaluate(a, c.f.body, inner)
}

// ones is the greatest number.
var ones = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 128), big.NewInt(1))

// interpreter computes with numbers modulo 2^128.
type interpreter struct{}

func (interpreter) constant(n *big.Int) *big.Int { return n }

func (interpreter) operate(op byte, x, y *big.Int) *big.Int {
	z := new(big.Int)
	switch op {
	case '+':
		z.Add(x, y)
	case '-':
		z.Sub(x, y)
	case '*':
		z.Mul(x, y)
	}
	return z.And(z, ones)
}

func (p *program) interpret(args []*big.Int) *big.Int {
	env := map[string]*big.Int{}
	for i, name := range p.main.params {
		env[name] = args[i]
	}
	return evaluate(interpreter{}, p.main.body, env)
}

// limbs are the words of a number, the lowest first.
type limbs []value.Value

// compiler appends instructions to a block.
type compiler struct {
	m     *ir.Module
	b     *ir.Block
	word  *types.IntType
	n     int  // words of a number
	calls bool // of @ptx functions instead of inline assembly
	carry value.Value
}

// compile makes a module of the last function of a program: each number is 128/bits
// parameters of bits, and so is the result.
func compile(p *program, bits int, calls bool) *ir.Module {
	c := &compiler{m: ir.NewModule(), word: types.NewInt(uint64(bits)), n: 128 / bits, calls: calls}
	var params []*ir.Param
	env := map[string]limbs{}
	for _, name := range p.main.params {
		for i := range c.n {
			word := ir.NewParam(fmt.Sprintf("%s.%d", name, i), c.word)
			params = append(params, word)
			env[name] = append(env[name], word)
		}
	}
	var fields []types.Type
	for range c.n {
		fields = append(fields, c.word)
	}
	result := types.NewStruct(fields...)
	c.b = c.m.NewFunc(p.main.name, result, params...).NewBlock("entry")
	var agg value.Value = constant.NewUndef(result)
	for i, word := range evaluate(c, p.main.body, env) {
		agg = c.b.NewInsertValue(agg, word, uint64(i))
	}
	c.b.NewRet(agg)
	return c.m
}

func (c *compiler) constant(n *big.Int) limbs {
	var out limbs
	for _, w := range split(n, int(c.word.BitSize)) {
		out = append(out, &constant.Int{Typ: c.word, X: w})
	}
	return out
}

// split cuts a number into words.
func split(n *big.Int, bits int) []*big.Int {
	var out []*big.Int
	mask := new(big.Int).Rsh(ones, uint(128-bits))
	for at := 0; at < 128; at += bits {
		w := new(big.Int).Rsh(n, uint(at))
		out = append(out, w.And(w, mask))
	}
	return out
}

func (c *compiler) operate(op byte, x, y limbs) limbs {
	switch op {
	case '+':
		return c.chain("add", "addc", len(x), func(i int) []value.Value { return []value.Value{x[i], y[i]} })
	case '-':
		return c.chain("sub", "subc", len(x), func(i int) []value.Value { return []value.Value{x[i], y[i]} })
	}
	// Σ x[j]·y[i]·2^(i+j): for each word of y a row of low halves, and one of
	// high halves a word further up. What is above 128 bits is left out.
	z := c.constant(new(big.Int))
	for i, w := range y {
		for up, half := range []string{".lo", ".hi"} {
			row := z[i+up:]
			copy(row, c.chain("mad"+half, "madc"+half, len(row), func(j int) []value.Value {
				return []value.Value{x[j], w, row[j]}
			}))
		}
	}
	return z
}

// chain appends an instruction for each word, from the lowest: the first one
// makes a carry, the next ones take and make one, the last one takes it.
func (c *compiler) chain(first, next string, n int, operands func(i int) []value.Value) limbs {
	var out limbs
	for i := range n {
		op := next
		if i == 0 {
			op = first
		}
		if i < n-1 {
			op += ".cc"
		}
		out = append(out, c.ptx(fmt.Sprintf("%s.u%d", op, c.word.BitSize), i > 0, i < n-1, operands(i)))
	}
	return out
}

// ptx appends one instruction.
func (c *compiler) ptx(op string, carryIn, carryOut bool, args []value.Value) value.Value {
	if c.calls {
		return c.call(op, carryIn, carryOut, args)
	}
	// The carry goes from one statement to the next by itself, as CC.CF.
	reg, text := ",r", op+" $0"
	if c.word.BitSize == 64 {
		reg = ",l"
	}
	in := make([]types.Type, len(args))
	for i := range args {
		in[i] = c.word
		text += fmt.Sprintf(", $%d", i+1)
	}
	asm := ir.NewInlineAsm(types.NewPointer(types.NewFunc(c.word, in...)), text+";", "="+reg[1:]+strings.Repeat(reg, len(args)))
	asm.SideEffect = true // so that nothing moves it away from the others
	return c.b.NewCall(asm, args...)
}

// call calls @ptx.<op>, where carries are arguments and results.
func (c *compiler) call(op string, carryIn, carryOut bool, args []value.Value) value.Value {
	var ret types.Type = c.word
	if carryOut {
		ret = types.NewStruct(c.word, types.I1)
	}
	if carryIn {
		args = append(args, c.carry)
	}
	x := c.b.NewCall(c.declare("ptx."+op, ret, args), args...)
	if !carryOut {
		return x
	}
	c.carry = c.b.NewExtractValue(x, 1)
	return c.b.NewExtractValue(x, 0)
}

func (c *compiler) declare(name string, ret types.Type, args []value.Value) *ir.Func {
	for _, f := range c.m.Funcs {
		if f.Name() == name {
			return f
		}
	}
	var params []*ir.Param
	for _, a := range args {
		params = append(params, ir.NewParam("", a.Type()))
	}
	return c.m.NewFunc(name, ret, params...)
}
