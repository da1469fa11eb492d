package ll

// slab hands out slices cut from large arrays: one allocation serves many
// instructions. A piece is open while values are pushed; take closes it. A
// closed piece never moves, so pointers into it stay good.
type slab[T any] struct {
	buf   []T
	base  int // start of the open piece
	chunk int // least capacity of a new array
}

// next adds a zero value and returns it, to be filled in.
func (s *slab[T]) next() *T {
	n := len(s.buf)
	if n == cap(s.buf) {
		s.grow()
		n = len(s.buf)
	}
	s.buf = s.buf[:n+1]
	return &s.buf[n]
}

func (s *slab[T]) push(v T) { *s.next() = v }

func (s *slab[T]) grow() {
	n := len(s.buf) - s.base
	buf := make([]T, n, max(s.chunk, 2*n, 8))
	copy(buf, s.buf[s.base:])
	s.buf, s.base = buf, 0
}

// open is the open piece so far.
func (s *slab[T]) open() []T { return s.buf[s.base:] }

// take closes the open piece; nil when it is empty.
func (s *slab[T]) take() []T {
	if s.base == len(s.buf) {
		return nil
	}
	t := s.buf[s.base:len(s.buf):len(s.buf)]
	s.base = len(s.buf)
	return t
}

// drop forgets the open piece.
func (s *slab[T]) drop() {
	clear(s.buf[s.base:])
	s.buf = s.buf[:s.base]
}

// pop removes the last value of the open piece and returns it.
func (s *slab[T]) pop() T {
	n := len(s.buf) - 1
	v := s.buf[n]
	clear(s.buf[n:])
	s.buf = s.buf[:n]
	return v
}
