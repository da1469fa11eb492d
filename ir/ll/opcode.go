package ll

// Opcode is an instruction of LLVM 22. An instruction that LLVM 22 does not
// have is OpUnknown, with its word in Inst.Word.
type Opcode uint8

// The instructions of LLVM 22, by group.
const (
	OpUnknown Opcode = iota

	OpRet // terminators
	OpBr
	OpSwitch
	OpIndirectBr
	OpInvoke
	OpCallBr
	OpResume
	OpUnreachable
	OpCleanupRet
	OpCatchRet
	OpCatchSwitch

	OpAdd // integer arithmetic
	OpSub
	OpMul
	OpUDiv
	OpSDiv
	OpURem
	OpSRem
	OpShl
	OpLShr
	OpAShr
	OpAnd
	OpOr
	OpXor

	OpFNeg // floating point
	OpFAdd
	OpFSub
	OpFMul
	OpFDiv
	OpFRem

	OpTrunc // casts
	OpZExt
	OpSExt
	OpFPTrunc
	OpFPExt
	OpFPToUI
	OpFPToSI
	OpUIToFP
	OpSIToFP
	OpPtrToInt
	OpPtrToAddr
	OpIntToPtr
	OpBitCast
	OpAddrSpaceCast

	OpICmp
	OpFCmp
	OpSelect
	OpFreeze
	OpPhi
	OpCall
	OpVAArg

	OpExtractElement // vectors and aggregates
	OpInsertElement
	OpShuffleVector
	OpExtractValue
	OpInsertValue

	OpAlloca // memory
	OpLoad
	OpStore
	OpGetElementPtr
	OpFence
	OpCmpXchg
	OpAtomicRMW

	OpLandingPad // exceptions
	OpCatchPad
	OpCleanupPad

	numOpcodes
)

// IsTerm reports a terminator.
func (op Opcode) IsTerm() bool { return OpRet <= op && op <= OpCatchSwitch }

// IsBinary reports a two-operand integer operation: add … xor.
func (op Opcode) IsBinary() bool { return OpAdd <= op && op <= OpXor }

// IsCast reports a conversion "VALUE to TYPE".
func (op Opcode) IsCast() bool { return OpTrunc <= op && op <= OpAddrSpaceCast }

var opcodeNames = [numOpcodes]string{
	OpUnknown: "unknown",
	OpRet:     "ret", OpBr: "br", OpSwitch: "switch", OpIndirectBr: "indirectbr", OpInvoke: "invoke",
	OpCallBr: "callbr", OpResume: "resume", OpUnreachable: "unreachable", OpCleanupRet: "cleanupret",
	OpCatchRet: "catchret", OpCatchSwitch: "catchswitch",
	OpAdd: "add", OpSub: "sub", OpMul: "mul", OpUDiv: "udiv", OpSDiv: "sdiv", OpURem: "urem", OpSRem: "srem",
	OpShl: "shl", OpLShr: "lshr", OpAShr: "ashr", OpAnd: "and", OpOr: "or", OpXor: "xor",
	OpFNeg: "fneg", OpFAdd: "fadd", OpFSub: "fsub", OpFMul: "fmul", OpFDiv: "fdiv", OpFRem: "frem",
	OpTrunc: "trunc", OpZExt: "zext", OpSExt: "sext", OpFPTrunc: "fptrunc", OpFPExt: "fpext",
	OpFPToUI: "fptoui", OpFPToSI: "fptosi", OpUIToFP: "uitofp", OpSIToFP: "sitofp",
	OpPtrToInt: "ptrtoint", OpPtrToAddr: "ptrtoaddr", OpIntToPtr: "inttoptr", OpBitCast: "bitcast",
	OpAddrSpaceCast: "addrspacecast",
	OpICmp:          "icmp", OpFCmp: "fcmp", OpSelect: "select", OpFreeze: "freeze", OpPhi: "phi", OpCall: "call",
	OpVAArg: "va_arg", OpExtractElement: "extractelement", OpInsertElement: "insertelement",
	OpShuffleVector: "shufflevector", OpExtractValue: "extractvalue", OpInsertValue: "insertvalue",
	OpAlloca: "alloca", OpLoad: "load", OpStore: "store", OpGetElementPtr: "getelementptr", OpFence: "fence",
	OpCmpXchg: "cmpxchg", OpAtomicRMW: "atomicrmw",
	OpLandingPad: "landingpad", OpCatchPad: "catchpad", OpCleanupPad: "cleanuppad",
}

// String is the word of LLVM IR: "getelementptr".
func (op Opcode) String() string { return opcodeNames[op] }

// Flags are the facts written between an opcode and its operands.
type Flags uint32

// The flags, by the word that LLVM prints.
const (
	NUW Flags = 1 << iota
	NSW
	Exact
	Disjoint
	NNeg
	SameSign
	InBounds
	NUSW
	Volatile
	Atomic
	FastMath // any of nnan ninf nsz arcp contract reassoc afn fast
	Tail
	MustTail
	NoTail
)

// Pred is the condition of an icmp.
type Pred uint8

// The conditions; PredNone belongs to other instructions.
const (
	PredNone Pred = iota
	PredEQ
	PredNE
	PredUGT
	PredUGE
	PredULT
	PredULE
	PredSGT
	PredSGE
	PredSLT
	PredSLE
)

var predNames = [...]string{"", "eq", "ne", "ugt", "uge", "ult", "ule", "sgt", "sge", "slt", "sle"}

// String is the word of LLVM IR: "ult".
func (p Pred) String() string { return predNames[p] }
