package mach_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/mach"
)

func TestTogether(t *testing.T) {
	for name, x := range map[string]struct {
		succs           [][]int
		uniform         []int // branches
		together, parts []int
	}{
		"straight":                                {[][]int{{1}, {2}, {}}, nil, []int{0, 1, 2}, nil},
		"a diamond of one way":                    {[][]int{{1, 2}, {3}, {3}, {}}, []int{0}, []int{0, 1, 2, 3}, nil},
		"a diamond of two":                        {[][]int{{1, 2}, {3}, {3}, {}}, nil, []int{0, 3}, []int{0}},
		"one way around lanes that part":          {[][]int{{1, 4}, {2, 3}, {3}, {5}, {5}, {}}, []int{0}, []int{0, 1, 3, 4, 5}, []int{1}},
		"a branch of one way where they are not":  {[][]int{{1, 4}, {2, 3}, {4}, {4}, {}}, []int{1}, []int{0, 4}, []int{0, 1}},
		"a loop with a common count":              {[][]int{{1}, {1, 2}, {}}, []int{1}, []int{0, 1, 2}, nil},
		"a loop that lanes leave":                 {[][]int{{1}, {1, 2}, {}}, nil, []int{0, 2}, []int{1}},
		"lanes part in a loop with a count":       {[][]int{{1}, {2, 3}, {3}, {1, 4}, {}}, []int{3}, []int{0, 1, 3, 4}, []int{1}},
		"lanes leave a loop with a count":         {[][]int{{1}, {2, 3}, {1, 3}, {}}, []int{2}, []int{0, 3}, []int{1, 2}},
		"a way into where lanes are apart":        {[][]int{{1, 2}, {2, 3}, {4}, {4}, {}}, []int{0}, []int{0, 4}, []int{0, 1}},
		"lanes part for good":                     {[][]int{{1, 2}, {}, {}}, nil, []int{0}, []int{0}},
		"a loop without an end":                   {[][]int{{1, 2}, {1}, {}}, []int{0}, nil, []int{0, 1, 2}},
		"lanes that part come together in a loop": {[][]int{{1}, {2, 4}, {3, 1}, {1}, {}}, []int{1}, []int{0, 1, 2, 4}, []int{2}},
	} {
		together, parts := mach.Together(x.succs, func(i int) bool {
			for _, u := range x.uniform {
				if u == i {
					return true
				}
			}
			return false
		})
		list := func(in []bool) (out []int) {
			for i, on := range in {
				if on {
					out = append(out, i)
				}
			}
			return out
		}
		require.Equal(t, x.together, list(together), name)
		require.Equal(t, x.parts, list(parts), name)
	}
}

// In graphs of any shape, lanes that go their own ways through blocks that are
// not together meet again before they come to one that is: of two lanes, from a
// common block on, the sequences of blocks that are together are the same.
func TestLanesThatAreTogetherTakeTheSameWay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := 0
	for range 20_000 {
		n := 2 + r.IntN(9)
		succs := make([][]int, n)
		way := make([]int, n) // of a branch that sends all lanes the same way
		for i := range n - 1 {
			succs[i] = []int{min(i+1+r.IntN(2), n-1)}
			if r.IntN(2) == 0 {
				succs[i] = append(succs[i], 1+r.IntN(n-1))
			}
			way[i] = r.IntN(3) // 2: of each lane
		}
		together, _ := mach.Together(succs, func(i int) bool { return way[i] < 2 })
		var want []int
		for lane := range 6 {
			var got []int
			at, steps, turns := 0, 0, make([]int, n)
			for ; steps < 60; steps++ {
				if together[at] {
					got = append(got, at)
				}
				if len(succs[at]) == 0 {
					break
				}
				next := 0
				if len(succs[at]) > 1 {
					if way[at] < 2 { // by the turn, so that loops end
						next = (way[at] + turns[at]/2) % 2
					} else {
						next = r.IntN(2)
					}
				}
				if together[at] {
					turns[at]++
				}
				at = succs[at][next]
			}
			if steps == 60 {
				break
			}
			if lane == 0 {
				want = got
				continue
			}
			if len(want) > 3 {
				some++
			}
			require.Equal(t, want, got, "%v %v", succs, way)
		}
	}
	require.Greater(t, some, 1000)
}
