package page
import ("testing";"fmt";"encoding/binary";"github.com/parequet/pare/metadata")
func TestZZ(t *testing.T){
   src:=binary.BigEndian.AppendUint32(nil,0); src=binary.BigEndian.AppendUint32(src,5000); src=append(src,make([]byte,5000)...)
   _,err:=safely(metadata.LZ4,nil,src,100); fmt.Println(err)
   _,err=safely(metadata.LZ4,nil,src[:100],0); fmt.Println(err)
}
