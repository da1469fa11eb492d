package rechain

// sides parts the factors of products into two sides, so that each product has
// a factor of each, and gives the smaller side, whose factors make the rows; nil
// if there is no such parting, as for a square.
func (g *graph) sides(prods []id) map[id]bool {
	next := map[id][]id{}
	for _, v := range prods {
		a, b := g.at(v).a, g.at(v).b
		if a == b {
			return nil
		}
		next[a], next[b] = append(next[a], b), append(next[b], a)
	}
	side := map[id]int{} // 1 or 2
	rows := map[id]bool{}
	for _, v := range prods {
		if side[g.at(v).a] != 0 {
			continue
		}
		queue := []id{g.at(v).a}
		side[queue[0]] = 1
		members := [3][]id{1: {queue[0]}}
		for len(queue) > 0 {
			x := queue[0]
			queue = queue[1:]
			for _, y := range next[x] {
				switch side[y] {
				case 0:
					s := 3 - side[x]
					side[y], members[s] = s, append(members[s], y)
					queue = append(queue, y)
				case side[x]:
					return nil
				}
			}
		}
		less := members[2]
		if len(members[1]) < len(less) {
			less = members[1]
		}
		for _, x := range less {
			rows[x] = true
		}
	}
	return rows
}
