package prove

import ("fmt";"time")

func (k *Kernel) Steps() int { return k.steps }
func (k *Kernel) SetLimit(n int) { k.limit=n }
var _ = fmt.Println
var _ = time.Now
