package rechain

// Class is a class of targets for which chains are written alike.
type Class uint8

// The classes.
const (
	Stay       Class = iota // chains stay as they are
	Generic                 // any: portable IR
	Kepler                  // sm_20 to sm_37: multiply-adds of low and high words with carry
	Maxwell                 // sm_50 to sm_62: 16-bit multiply-adds with carry
	Volta                   // sm_70 on: wide multiply-adds with carry
	Geforce120              // the same, and additions of 64 bits: sm_120, sm_121
	GFX6                    // low and high products apart
	GFX7                    // v_mad_u64_u32, which has a carry out and none in
	NumClasses
)
