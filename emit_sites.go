package ptxlower

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/ir/ll"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/targets"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/llvm"
)

// Sites as inline assembly of AMD's GPUs. A carry is a lane mask: an integer of
// as many bits as a wave has lanes, in SGPRs. Between sites of one block it is
// passed as that; where it leaves the block, or comes from an i1, it is an i1,
// which LLVM knows to be different in each lane.

// checkSites says why sites cannot become assembly, if so.
func (r *run) checkSites() error {
	switch r.opt.Sites {
	case SitesLLVM, "":
		return nil
	case SitesAsm:
	default:
		return &usage{fmt.Sprintf("unknown --sites %q: llvm or asm", r.opt.Sites)}
	}
	switch info := r.res.Target; {
	case r.res.Emit != EmitLLVM && r.res.Emit != EmitNone:
		return &usage{"--sites=asm needs --emit=llvm"}
	case info.Vendor != targets.AMD || info.Target == nil:
		return &usage{fmt.Sprintf("--sites=asm needs one of AMD's GPUs as --target, not %s", info.Name)}
	}
	return nil
}

// inlines reports whether the sites of a function become assembly: not where
// its waves are not those that the target's rules are for.
func (e *splicer) inlines(f *ll.Func) bool {
	if e.opt.Sites != SitesAsm {
		return false
	}
	wave := amd.WaveBits(e.res.Target.Target.Features)
	if other := 96 - wave; strings.Contains(e.m.TargetFeatures(f), fmt.Sprintf("+wavefrontsize%d", other)) {
		e.diags.Warnf("site-wave", e.file, f.NameSpan(), "the sites of @%s stay portable: its waves have %d lanes, and the rules for %s are for %d", f.Name, other, e.res.Target.Name, wave)
		return false
	}
	return true
}

// carriesOut finds the carries of a function that are needed as i1.
func carriesOut(u *lower.Unit) map[*lower.State]bool {
	wanted := map[*lower.State]bool{}
	for _, p := range u.Phis {
		for _, in := range p.In {
			wanted[in.Resolve()] = true
		}
	}
	for _, s := range u.Sites {
		for _, in := range s.In {
			if in.State != nil {
				if st := in.State.Resolve(); st.Kind == lower.StateOut && st.Site.Block != s.Block {
					wanted[st] = true
				}
			}
		}
	}
	return wanted
}

// inlined is the native code of a site, as statements.
func (e *splicer) inlined(s *lower.Site) (*mach.Func, []amd.Asm, error) {
	t, f := e.res.Target.Target, e.simplified(s.Frag)
	nf := e.native[f]
	if nf == nil {
		var err error
		if nf, err = t.SelectPart(f, e.known(f)); err != nil {
			return nil, nil, err
		}
		e.native[f] = nf
		if err := e.check(s.Span(), "the site", s.Frag, nf, t.Machine); err != nil {
			return nil, nil, err
		}
	}
	asms, err := amd.Inline(t.Features, nf)
	return nf, asms, err
}

// asmSite replaces one call by inline assembly.
func (e *splicer) asmSite(s *lower.Site, index int) error {
	nf, asms, err := e.inlined(s)
	if err != nil {
		return err
	}
	b := asmText{
		siteText: siteText{splicer: e, s: s, base: fmt.Sprintf("%s%d.", e.prefix, index)},
		nf:       nf, frag: s.Frag, wave: amd.WaveBits(e.res.Target.Target.Features),
	}
	b.input = func(i, w, lane int) string { return b.arg(s.In[i], w, lane) }
	b.direct = func(i int) string {
		if st := s.In[i].State; st != nil {
			if st = st.Resolve(); st.Kind == lower.StateOut && st.Site.Block == s.Block {
				return e.masks[st]
			}
		}
		return ""
	}
	b.output = func(i, w, lane int) string { return b.result(s.Out[i], w, i, lane) }
	b.asBit = func(i int, mask string) bool {
		st := s.Out[i].State
		if st != nil {
			e.masks[st] = mask
		}
		return st == nil || e.wanted[st]
	}
	finals := b.finals()
	for lane := range max(s.Lanes, 1) {
		b.lane(asms, lane)
		finals(lane)
	}
	b.replace()
	return nil
}

// asmText writes the statements of a site.
type asmText struct {
	siteText
	nf   *mach.Func
	frag *ir.Func
	wave int
	vals map[part]string

	input  func(i, w, lane int) string   // the text of a parameter
	direct func(i int) string            // the mask that a parameter is, "" if there is none
	output func(i, w, lane int) string   // the name of a result
	asBit  func(i int, mask string) bool // takes the mask of a result; reports whether it is wanted as i1
}

// part is a register, or half of one.
type part struct {
	reg mach.Reg
	sub mach.Sub
}

func of(o mach.Operand) part { return part{o.Reg, o.Sub} }

func (b *asmText) lane(asms []amd.Asm, lane int) {
	b.vals = map[part]string{}
	for i := range b.nf.Params {
		b.param(i, lane)
	}
	names := map[part]string{} // results that a statement can define
	for i, o := range b.nf.Blocks[0].Ret {
		w := b.frag.Results[i]
		if name := b.output(i, w, lane); !o.IsConst() && w > 1 && w == int(o.Bits) && names[of(o)] == "" {
			names[of(o)] = name
		}
	}
	outside := map[mach.Reg]bool{} // what is read elsewhere than in the statement that makes it
	for _, a := range asms {
		for _, o := range a.In {
			outside[o.Reg] = true
		}
	}
	for _, o := range b.nf.Blocks[0].Ret {
		outside[o.Reg] = true
	}
	for _, a := range asms {
		b.statement(a, names, outside)
	}
	for i, o := range b.nf.Blocks[0].Ret {
		b.give(i, o, b.output(i, b.frag.Results[i], lane))
	}
}

// param makes a parameter what its register holds.
func (b *asmText) param(i, lane int) {
	r, w := b.nf.Params[i], b.frag.Params[i].W
	p := part{r, mach.Whole}
	if w == 1 {
		b.vals[p] = b.mask(i, lane)
		return
	}
	text := b.input(i, w, lane)
	if bits := int(b.nf.Classes[r].Bits); w < bits {
		d := b.temp()
		b.line("%s = zext i%d %s to i%d", d, w, text, bits)
		text = d
	}
	b.vals[p] = text
}

// mask is an i1 parameter as a lane mask.
func (b *asmText) mask(i, lane int) string {
	if m := b.direct(i); m != "" {
		return m
	}
	switch text := b.input(i, 1, lane); text {
	case "true":
		return "-1"
	case "false":
		return "0"
	default:
		d, name := b.temp(), fmt.Sprintf("llvm.amdgcn.ballot.i%d", b.wave)
		b.declares[name] = fmt.Sprintf("declare i%d @%s(i1)", b.wave, name)
		b.line("%s = call i%d @%s(i1 %s)", d, b.wave, name, text)
		return d
	}
}

// typeOf is the type of an operand.
func (b *asmText) typeOf(o mach.Operand) string {
	if o.Bits == 1 {
		return fmt.Sprintf("i%d", b.wave)
	}
	return fmt.Sprintf("i%d", o.Bits)
}

// value is the text of an operand, made of its halves or its whole if needed.
func (b *asmText) value(o mach.Operand) string {
	switch {
	case o.IsConst() && o.Bits == 1:
		return fmt.Sprint(-int(o.K.Lo))
	case o.IsConst():
		return fmt.Sprint(int64(o.K.SignExtend(int(o.Bits)).Lo))
	}
	if v := b.vals[of(o)]; v != "" {
		return v
	}
	return b.build(o, "")
}

// build makes a register of its halves, or a half of its whole, under a name, or
// a new one.
func (b *asmText) build(o mach.Operand, d string) string {
	name := func() string {
		if d == "" {
			d = b.temp()
		}
		return d
	}
	switch whole := b.vals[part{o.Reg, mach.Whole}]; {
	case o.Sub == mach.Whole:
		half := mach.Operand{Reg: o.Reg, Sub: mach.Low, Bits: 32}
		lo := b.value(half)
		half.Sub = mach.High
		hi := b.value(half)
		l, h, up := b.temp(), b.temp(), b.temp()
		b.line("%s = zext i32 %s to i64", l, lo)
		b.line("%s = zext i32 %s to i64", h, hi)
		b.line("%s = shl i64 %s, 32", up, h)
		b.line("%s = or i64 %s, %s", name(), up, l)
	case o.Sub == mach.High:
		up := b.temp()
		b.line("%s = lshr i64 %s, 32", up, whole)
		whole = up
		fallthrough
	default:
		b.line("%s = trunc i64 %s to i32", name(), whole)
	}
	b.vals[of(o)] = d
	return d
}

// statement writes one statement; names has the names of results, outside the
// registers of which somebody else reads something.
func (b *asmText) statement(a amd.Asm, names map[part]string, outside map[mach.Reg]bool) {
	if a.Text == "" {
		b.vals[of(a.Out[0].Operand)] = b.value(a.In[0].Operand)
		return
	}
	var constraints, types, args []string
	register := func(o mach.Operand) string {
		if o.Bits == 1 {
			return "s"
		}
		return "v"
	}
	for _, o := range a.Out {
		c := "="
		if o.Early {
			c += "&"
		}
		constraints = append(constraints, c+register(o.Operand))
		types = append(types, b.typeOf(o.Operand))
	}
	for _, o := range a.In {
		constraints = append(constraints, register(o.Operand))
		v, t := b.value(o.Operand), b.typeOf(o.Operand)
		if o.Wide {
			d := b.temp()
			b.line("%s = insertelement <2 x i32> poison, i32 %s, i32 0", d, v)
			v, t = d, "<2 x i32>"
		}
		args = append(args, t+" "+v)
	}
	for _, c := range a.Clobbers {
		constraints = append(constraints, "~{"+c+"}")
	}
	name := func(o mach.Operand) string {
		d := names[of(o)]
		if delete(names, of(o)); d == "" {
			d = b.temp()
		}
		b.vals[of(o)] = d
		return d
	}
	call := fmt.Sprintf(`asm "%s", "%s"(%s) convergent nounwind readnone`,
		strings.ReplaceAll(a.Text, "\n", `\0A\09`), strings.Join(constraints, ","), strings.Join(args, ", "))
	if len(a.Out) == 1 {
		b.line("%s = call %s %s", name(a.Out[0].Operand), types[0], call)
		return
	}
	all, t := b.temp(), "{ "+strings.Join(types, ", ")+" }"
	b.line("%s = call %s %s", all, t, call)
	for k, o := range a.Out {
		if outside[o.Reg] {
			b.line("%s = extractvalue %s %s, %d", name(o.Operand), t, all, k)
		}
	}
}

// give defines result i.
func (b *asmText) give(i int, o mach.Operand, name string) {
	w := b.frag.Results[i]
	if w > 1 && w == int(o.Bits) && !o.IsConst() && b.vals[of(o)] == "" {
		b.build(o, name)
		return
	}
	v := b.value(o)
	switch {
	case w == 1:
		if b.asBit(i, v) {
			f := fmt.Sprintf("llvm.amdgcn.inverse.ballot.i%d", b.wave)
			b.declares[f] = fmt.Sprintf("declare i1 @%s(i%d)", f, b.wave)
			if wait := amd.Settle(b.res.Target.Target.Features); wait != "" && !o.IsConst() {
				d := b.temp()
				b.line(`%s = call i%d asm "%s", "=s,0"(i%d %s) convergent nounwind readnone`, d, b.wave, wait, b.wave, v)
				v = d
			}
			b.line("%s = call i1 @%s(i%d %s)", name, f, b.wave, v)
		}
	case v == name:
	case w < int(o.Bits):
		b.line("%s = trunc i%d %s to i%d", name, o.Bits, v, w)
	default:
		b.line("%s = bitcast i%d %s to i%d", name, w, v, w)
	}
}

// bodyAsm prints text that stands alone as a function of inline assembly.
func (r *run) bodyAsm(fl *lower.Flat) error {
	t := r.res.Target.Target
	f := ir.Clone(fl.Func)
	if !r.opt.O0 {
		lower.Simplify(f)
	}
	nf, err := t.SelectPart(f, r.known(f))
	if err != nil {
		return err
	}
	if err := r.check(diag.Span{Start: 0, End: len(r.file.Text)}, "the body", fl.Func, nf, t.Machine); err != nil {
		return err
	}
	asms, err := amd.Inline(t.Features, nf)
	if err != nil {
		return err
	}
	e := &splicer{run: r, declares: map[string]string{}}
	b := asmText{siteText: siteText{splicer: e, base: "ptxl."}, nf: nf, frag: f, wave: amd.WaveBits(t.Features)}
	var params, types []string
	for i, p := range f.Params {
		params = append(params, fmt.Sprintf("i%d %%%s", p.W, llvm.Quoted(fl.Params[i])))
	}
	for _, w := range f.Results {
		types = append(types, fmt.Sprintf("i%d", w))
	}
	b.input = func(i, _, _ int) string { return "%" + llvm.Quoted(fl.Params[i]) }
	b.direct = func(int) string { return "" }
	b.output = func(i, _, _ int) string { return fmt.Sprintf("%%ptxl.r%d", i) }
	b.asBit = func(int, string) bool { return true }
	b.lane(asms, 0)
	ty, agg := "void", ""
	switch len(types) {
	case 0:
	case 1:
		ty, agg = types[0], " %ptxl.r0"
	default:
		ty, agg = "{ "+strings.Join(types, ", ")+" }", "poison"
		for i, x := range types {
			d := b.temp()
			b.line("%s = insertvalue %s %s, %s %%ptxl.r%d, %d", d, ty, agg, x, i, i)
			agg = d
		}
		agg = " " + agg
	}
	b.line("ret %s%s", ty, agg)
	if r.res.Emit == EmitNone {
		return nil
	}
	var out strings.Builder
	for _, d := range slices.Sorted(maps.Values(e.declares)) {
		fmt.Fprintln(&out, d)
	}
	fmt.Fprintf(&out, "define %s @body(%s) {\n  %s\n}\n", ty, strings.Join(params, ", "), strings.Join(b.lines, "\n  "))
	r.res.Output = []byte(out.String())
	return nil
}
