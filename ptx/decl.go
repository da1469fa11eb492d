package ptx

import (
	"strings"

	"github.com/ptxlower/ptxlower/diag"
)

// maxCount limits .reg name<n>: ptxas takes more, no real body does.
const maxCount = 1 << 20

var typeByName = func() map[string]Type {
	m := map[string]Type{}
	for t := NoType + 1; t < numTypes; t++ {
		m[t.String()] = t
	}
	for _, s := range strings.Fields("b128 f16 f16x2 bf16 bf16x2 f32 f32x2 f64 tf32 u16x2 s16x2 u8x4 s8x4 e4m3 e5m2 e4m3x2 e5m2x2") {
		m[s] = NoType
	}
	return m
}()

// reg reads a declaration behind the word .reg: .align n, .v2 or .v4, the type,
// names with or without <n> (PTX ISA 5.4).
func (p *parser) reg(start int) {
	d := &Decl{}
	for {
		at := p.pos
		if p.space() != '.' {
			p.errorf("ptx-syntax", p.pos, min(p.pos+1, len(p.src)), "expected a type, as in '.reg .u32 a;'")
			p.resume()
			return
		}
		at = p.pos
		p.pos++
		word := p.name()
		if word == "align" {
			if c := p.space(); class[c] != cDigit {
				p.errorf("ptx-syntax", p.pos, min(p.pos+1, len(p.src)), "'.align' needs a number")
				p.resume()
				return
			}
			if _, ok := p.number(0); !ok {
				p.resume()
				return
			}
			continue
		}
		if (word == "v2" || word == "v4") && d.Word == "" {
			d.Word = word + "."
			continue
		}
		t, ok := typeByName[word]
		if !ok {
			p.errorf("ptx-bad-type", at, max(p.pos, at+1), "'.%s' is no type of a register", word)
			p.resume()
			return
		}
		if d.Word == "" {
			d.Type = t
		}
		d.Word += word
		break
	}
	for {
		c := p.space()
		at := p.pos
		name := ""
		if p.startsName(c) {
			name = p.name()
		}
		if name == "" || name == "_" {
			p.errorf("ptx-syntax", at, min(max(p.pos, at+1), len(p.src)), "expected the name of a register")
			p.resume()
			return
		}
		n := DeclName{Name: name, Span: diag.Span{Start: at, End: p.pos}}
		none := false
		if c = p.space(); c == '<' {
			p.pos++
			v := value{}
			ok := class[p.space()] == cDigit
			at := p.pos
			if ok {
				if v, ok = p.number(0); !ok {
					p.resume()
					return
				}
			}
			if !ok || v.v > maxCount || p.space() != '>' {
				p.errorf("ptx-syntax", at, min(max(at+1, p.pos), len(p.src)), "expected '<n>' with a number up to %d", maxCount)
				p.resume()
				return
			}
			p.pos++
			n.Count, none = int(v.v), v.v == 0
			c = p.space()
		}
		if !none {
			d.Names = append(d.Names, n)
		}
		if c == ',' {
			p.pos++
			continue
		}
		if c != ';' {
			p.unterminated(c, n.Span.End, 0, 0)
			return
		}
		p.pos++
		break
	}
	if len(d.Names) > 0 {
		p.add(Item{Kind: ItemDecl, Span: diag.Span{Start: start, End: p.pos}, Decl: d})
	}
}
