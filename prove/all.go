package prove

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// Answer is a goal and what became of it.
type Answer struct {
	Goal   Goal
	Result Result
}

// All answers n goals on all processors and yields the answers in the order of
// the goals. goal gives them by number; it is called twice for each, from several
// goroutines. Goals that are equal up to renaming are proved once. The answers
// are the same for any number of processors: of equal goals it is the first that
// is proved.
func All(n int, goal func(i int) Goal, opt Options) iter.Seq2[int, Answer] {
	return func(yield func(int, Answer) bool) {
		if opt.Cache == nil {
			opt.Cache = NewCache()
		}
		keys := make([][32]byte, n)
		parallel(n, func(i int) {
			g := goal(i)
			keys[i] = g.key()
		}).Wait()
		first := make(map[[32]byte]int, n)
		for i, k := range keys {
			if _, ok := first[k]; !ok {
				first[k] = i
			}
		}
		answers := make([]Answer, n)
		done := make([]chan struct{}, n)
		for i := range done {
			done[i] = make(chan struct{})
		}
		var stop atomic.Bool
		work := parallel(n, func(i int) {
			defer close(done[i])
			if j := first[keys[i]]; j < i {
				<-done[j] // and the cache knows it
			}
			if !stop.Load() {
				g := goal(i)
				answers[i] = Answer{g, Equal(g, opt)}
			}
		})
		defer work.Wait()
		defer stop.Store(true)
		for i := range n {
			<-done[i]
			a := answers[i]
			answers[i] = Answer{} // it may be large
			if !yield(i, a) {
				return
			}
		}
	}
}

// parallel calls f(0) … f(n−1), beginning them in this order, on all processors.
func parallel(n int, f func(i int)) *sync.WaitGroup {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	return &wg
}
