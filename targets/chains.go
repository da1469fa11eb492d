package targets

import "github.com/ptxlower/ptxlower/lower/rechain"

// Chains is how carry chains are written again for the target.
func (i *Info) Chains() rechain.Class {
	switch i.Family {
	case "tesla":
		return rechain.Stay // multiplies 16 bits by 16
	case "fermi", "kepler":
		return rechain.Kepler
	case "maxwell", "pascal":
		return rechain.Maxwell
	case "blackwell-rtx":
		return rechain.Geforce120
	case "gfx6":
		return rechain.GFX6
	}
	switch i.Vendor {
	case NVIDIA:
		return rechain.Volta
	case AMD:
		return rechain.GFX7
	}
	return rechain.Generic
}
