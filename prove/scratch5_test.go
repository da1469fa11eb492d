package prove_test
import ("fmt";"time";"testing"
"github.com/ptxlower/ptxlower/sem"
	"github.com/ptxlower/ptxlower/prove"
)
func TestSteps(t *testing.T) {
	for _, c := range [][2]int{{2,32},{4,32},{8,32},{12,32},{16,32},{8,64}} {
	n, limb := c[0], c[1]
	x, y, r := schoolbook(sem.NewBuilder(), n, limb, false)
	k := prove.NewKernel(r...)
	k.SetLimit(1<<40)
	s:=time.Now()
	ok:= number(k, limb, r) == k.Mul(number(k, limb, x), number(k, limb, y))
	fmt.Println(c, ok, k.Steps(), len(sem.Order(r...)), time.Since(s))
	}
}
