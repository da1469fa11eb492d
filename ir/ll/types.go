package ll

import (
	"strconv"
	"strings"
)

// TypeKind says what a type is.
type TypeKind uint8

// The kinds of types.
const (
	TyVoid     TypeKind = iota
	TyInt               // Bits
	TyFloat             // half … ppc_fp128; Name, Bits
	TyPtr               // AddrSpace; Elem where the text has a typed pointer (LLVM 14)
	TyVector            // <N x Elem>
	TyScalable          // <vscale x N x Elem>
	TyArray             // [N x Elem]
	TyStruct            // { Fields }
	TyPacked            // <{ Fields }>
	TyNamed             // %Name; Elem is its body, nil when opaque or not defined
	TyFunc              // Elem (Fields); VarArg
	TyLabel
	TyToken
	TyMetadata
	TyOpaque
	TyOther // target("…") and what later versions bring; Name is the text
)

// Type is a type. Types are interned: within one module, equal types are equal
// pointers. void, iN up to 128, ptr and the floating-point types are the same
// pointers in all modules.
type Type struct {
	Kind      TypeKind
	Bits      int    // TyInt, TyFloat: width in bits
	N         uint64 // TyVector, TyScalable, TyArray: number of elements
	AddrSpace uint32 // TyPtr
	VarArg    bool   // TyFunc
	Elem      *Type
	Fields    []*Type
	Name      string // TyNamed: canonical, without %; TyFloat, TyOther: the text

	text string
}

// String is the type as LLVM prints it. A typed pointer prints typed, so that
// the text suits the module it came from.
func (t *Type) String() string { return t.text }

// IsInt reports the type iN for N = bits.
func (t *Type) IsInt(bits int) bool { return t != nil && t.Kind == TyInt && t.Bits == bits }

// Under is the body of a named type, any other type itself; nil for a named
// type without body.
func (t *Type) Under() *Type {
	if t.Kind == TyNamed {
		return t.Elem
	}
	return t
}

// Scalar is the element of a vector, any other type itself.
func (t *Type) Scalar() *Type {
	if t.Kind == TyVector || t.Kind == TyScalable {
		return t.Elem
	}
	return t
}

// The types that every module shares.
var (
	Void     = &Type{Kind: TyVoid, text: "void"}
	Ptr      = &Type{Kind: TyPtr, text: "ptr"}
	Label    = &Type{Kind: TyLabel, text: "label"}
	Token    = &Type{Kind: TyToken, text: "token"}
	Metadata = &Type{Kind: TyMetadata, text: "metadata"}
	Opaque   = &Type{Kind: TyOpaque, text: "opaque"}

	ints   [129]Type // i1 … i128
	floats = map[string]*Type{}
)

func init() {
	for i := range ints {
		ints[i] = Type{Kind: TyInt, Bits: i, text: "i" + strconv.Itoa(i)}
	}
	for name, bits := range map[string]int{"half": 16, "bfloat": 16, "float": 32, "double": 64,
		"x86_fp80": 80, "fp128": 128, "ppc_fp128": 128} {
		floats[name] = &Type{Kind: TyFloat, Bits: bits, Name: name, text: name}
	}
}

// Int is the type iN for 1 ≤ bits ≤ 128.
func Int(bits int) *Type {
	if bits < 1 || bits >= len(ints) {
		panic("ll.Int: width out of range")
	}
	return &ints[bits]
}

// interner keeps one *Type for each type of a module. Lists of fields are
// interned as chains of (list so far, next field), so that finding a known
// struct allocates nothing.
type interner struct {
	types map[typeKey]*Type
	lists map[fieldList]*fieldList
}

type typeKey struct {
	kind TypeKind
	n    uint64 // length, width or address space; 1 for a variadic function
	elem *Type
	list *fieldList
	name string
}

// fieldList is a list of fields: those of prev, then last.
type fieldList struct {
	prev *fieldList
	last *Type
	n    int
}

func newInterner() interner {
	return interner{map[typeKey]*Type{}, map[fieldList]*fieldList{}}
}

// add is the list with one more field; nil is the empty list.
func (in *interner) add(list *fieldList, t *Type) *fieldList {
	k := fieldList{prev: list, last: t, n: 1}
	if list != nil {
		k.n += list.n
	}
	if l := in.lists[k]; l != nil {
		return l
	}
	l := new(fieldList)
	*l = k
	in.lists[k] = l
	return l
}

func (l *fieldList) fields() []*Type {
	if l == nil {
		return nil
	}
	all := make([]*Type, l.n)
	for ; l != nil; l = l.prev {
		all[l.n-1] = l.last
	}
	return all
}

func (in *interner) get(k typeKey) *Type {
	if t, ok := in.types[k]; ok {
		return t
	}
	t := &Type{Kind: k.kind, Elem: k.elem, Name: k.name, Fields: k.list.fields()}
	switch k.kind {
	case TyInt:
		t.Bits = int(k.n)
	case TyPtr:
		t.AddrSpace = uint32(k.n)
	case TyFunc:
		t.VarArg = k.n == 1
	default:
		t.N = k.n
	}
	t.text = typeText(t)
	in.types[k] = t
	return t
}

func typeText(t *Type) string {
	num := strconv.FormatUint(t.N, 10)
	switch t.Kind {
	case TyInt:
		return "i" + strconv.Itoa(t.Bits)
	case TyPtr:
		as := ""
		if t.AddrSpace != 0 {
			as = " addrspace(" + strconv.Itoa(int(t.AddrSpace)) + ")"
		}
		if t.Elem == nil {
			return "ptr" + as
		}
		return t.Elem.text + as + "*"
	case TyVector:
		return "<" + num + " x " + t.Elem.text + ">"
	case TyScalable:
		return "<vscale x " + num + " x " + t.Elem.text + ">"
	case TyArray:
		return "[" + num + " x " + t.Elem.text + "]"
	case TyStruct:
		if len(t.Fields) == 0 {
			return "{}"
		}
		return "{ " + fieldText(t.Fields) + " }"
	case TyPacked:
		if len(t.Fields) == 0 {
			return "<{}>"
		}
		return "<{ " + fieldText(t.Fields) + " }>"
	case TyNamed:
		return "%" + t.Name
	case TyFunc:
		s := fieldText(t.Fields)
		if t.VarArg && s != "" {
			s += ", ..."
		} else if t.VarArg {
			s = "..."
		}
		return t.Elem.text + " (" + s + ")"
	}
	return t.Name
}

func fieldText(fields []*Type) string {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(f.text)
	}
	return b.String()
}
