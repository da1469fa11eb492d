package judges

import (
	"fmt"
	"strconv"
	"strings"
)

// gcn1 reads the encodings of gfx6 and gfx7, of which LLVM has no disassembler:
// formats, opcodes and operands, as AMD's Sea Islands ISA manual has them in its
// chapter on microcode formats. The names of the opcodes are taken from the lines:
// each has one opcode in each format, which no other name has.
type gcn1 struct{ names, opcodes map[string]string }

// check is the error of a line that is not what its encoding says, which is bytes
// as llvm-mc shows them.
func (g *gcn1) check(line, encoding string) error {
	var words [3]uint32
	for i, b := range strings.Split(strings.Trim(encoding, "[]"), ",") {
		n, err := strconv.ParseUint(b, 0, 8)
		if err != nil || i >= 12 {
			return nil // a branch, whose distance is not known yet
		}
		words[i/4] |= uint32(n) << (8 * (i % 4))
	}
	w, literal := words[0], words[1]
	bits := func(w uint32, high, low int) uint32 { return w >> low & (1<<(high-low+1) - 1) }
	name, rest, _ := strings.Cut(line, " ")
	name = strings.TrimSuffix(name, "_e64")
	var texts []string
	for o := range strings.SplitSeq(rest, ", ") {
		texts = append(texts, strings.TrimSpace(o))
	}
	masks, sources := 0, 1 // VCC, which the short formats do not encode; the first source
	var format string
	var op uint32
	var operands []uint32
	switch {
	case bits(w, 31, 23) == 0b101111111:
		return nil // SOPP: waits and branches, with a number
	case bits(w, 31, 23) == 0b101111101:
		format, op, operands = "SOP1", bits(w, 15, 8), []uint32{bits(w, 22, 16), bits(w, 7, 0)}
		if name == "s_setpc_b64" {
			operands = operands[1:]
		}
	case bits(w, 31, 23) == 0b101111110:
		format, op, operands = "SOPC", bits(w, 22, 16), []uint32{bits(w, 7, 0), bits(w, 15, 8)}
	case bits(w, 31, 28) == 0b1011:
		format, op, operands = "SOPK", bits(w, 27, 23), []uint32{bits(w, 22, 16), 255}
		literal = uint32(int32(int16(bits(w, 15, 0))))
	case bits(w, 31, 30) == 0b10:
		format, op, operands = "SOP2", bits(w, 29, 23), []uint32{bits(w, 22, 16), bits(w, 7, 0), bits(w, 15, 8)}
	case bits(w, 31, 25) == 0b0111110:
		format, op, operands, masks = "VOPC", bits(w, 24, 17), []uint32{bits(w, 8, 0), 256 + bits(w, 16, 9)}, 1
	case bits(w, 31, 25) == 0b0111111:
		format, op, operands = "VOP1", bits(w, 16, 9), []uint32{256 + bits(w, 24, 17), bits(w, 8, 0)}
	case bits(w, 31, 31) == 0:
		format, op, operands, masks = "VOP2", bits(w, 30, 25), []uint32{256 + bits(w, 24, 17), bits(w, 8, 0), 256 + bits(w, 16, 9)}, 2
	case bits(w, 31, 26) == 0b110100:
		format, op, operands = "VOP3", bits(w, 25, 17), []uint32{256 + bits(w, 7, 0)}
		if op < 256 { // a comparison, whose result is a mask
			operands[0] -= 256
		}
		if carries := strings.Contains(name, "_add_i32") || strings.Contains(name, "_addc_") || strings.Contains(name, "_sub_i32") || strings.Contains(name, "_subb_") || strings.Contains(name, "64_"); carries && strings.Contains(line, ", vcc, ") || carries && strings.Contains(line, ", s[") {
			operands, sources = append(operands, bits(w, 14, 8)), 2
		}
		operands = append(operands, bits(words[1], 8, 0), bits(words[1], 17, 9), bits(words[1], 26, 18))
		literal = 0
		if len(operands) > len(texts) { // two sources
			operands = operands[:len(texts)]
		}
	default:
		return fmt.Errorf("%q is of no known format: %08x", line, w)
	}
	code, here := format+" "+strconv.Itoa(int(op)), format+" "+name
	if was, ok := g.names[code]; ok && was != name {
		return fmt.Errorf("%s is %s and %s", code, was, name)
	}
	if was, ok := g.opcodes[here]; ok && was != code {
		return fmt.Errorf("%s is %s and %s", here, was, code)
	}
	g.names[code], g.opcodes[here] = name, code
	var left []string
	for _, s := range texts {
		if s == "vcc" && masks > 0 {
			masks--
			continue
		}
		left = append(left, s)
	}
	if len(left) != len(operands) {
		return fmt.Errorf("%q has %d operands, its encoding %v", line, len(left), operands)
	}
	for i, n := range operands {
		if minus := strings.HasPrefix(left[i], "-v") || strings.HasPrefix(left[i], "neg("); format == "VOP3" && i >= sources && minus != (bits(words[1], 29+i-sources, 29+i-sources) == 1) {
			return fmt.Errorf("operand %d of %q is negated on one side only", i, line)
		}
		is := operand1(n, literal)
		s, _, _ := strings.Cut(left[i], ":")
		s = strings.NewReplacer("[", "", "]", "", "neg(", "", ")", "").Replace(strings.TrimPrefix(s, "-v"))
		if k, err := strconv.ParseInt(s, 0, 64); err == nil {
			if format == "SOPK" {
				k = int64(int16(k))
			}
			s = strconv.Itoa(int(int32(k)))
		}
		if s != is && "v"+s != is {
			return fmt.Errorf("operand %d of %q is %s in its encoding", i, line, is)
		}
	}
	return nil
}

// operand1 is a source operand by its number.
func operand1(n, literal uint32) string {
	switch {
	case n >= 256:
		return "v" + strconv.Itoa(int(n-256))
	case n == 255:
		return strconv.Itoa(int(int32(literal)))
	case n == 106:
		return "vcc"
	case n == 126:
		return "exec"
	case n >= 193 && n <= 208:
		return strconv.Itoa(192 - int(n))
	case n >= 128 && n <= 192:
		return strconv.Itoa(int(n) - 128)
	}
	return "s" + strconv.Itoa(int(n))
}
