package prove

// Certificate says how a goal was proved.
type Certificate struct {
	goal   Goal
	Method Method
	run    *search
}
