package odb
import ("testing";"os";"path/filepath";"boardorder/pkg/board";"boardorder/pkg/board/draw";"fmt")
func TestDbg(t *testing.T){
 for d,z:=range map[string]string{"odb-flat-hierarchy": "flat_hierarchy-odb.tgz", "odb-minimal": "minimal-test-odb.zip", "odb-sandbox-wifi": "sandbox-odb_wifi.tgz",
		"tc-sa45-odb": "SA45_DaughterCard-RevX1_odb.tgz", "ipc2581-switch-board": "Switch_Board_ODB.zip",
		"ts5-thunderscope-odb": "Thunderscope_Rev5.3_TS-PCIe_ODB.zip"} {
 bs,_:=Read(t.Context(),unpack(t,filepath.Join(corpusDir(t),d,z)))
 for _,b:=range bs{ for _,s:=range []board.Side{board.Top,board.Bottom} {
   img,err:=draw.Side(b,s,draw.Options{}); if err!=nil {t.Fatal(err)}
   f,_:=os.Create("/tmp/b3/pics/odb-"+d+s.String()+".png"); draw.PNG(f,img); f.Close()}
   f:=b.Facts
   nn,pp:=0,0
   for _,l:=range b.Copper(){ for i:=range l.Features { if l.Features[i].Net>0 {nn++}; pp++}}
   hn:=0; for _,h:=range b.Holes {if h.Net>0 {hn++}}
   fmt.Println(b.Name,len(b.Holes),"slots",f.Slots.Value,"np",f.NonPlatedHoles.Value,"unk",f.UnknownHoles.Value,"areas",len(b.Outline.Areas),len(b.Outline.Areas[0].Holes),"th",f.Thickness.Value,f.OuterCopper.Value,f.OuterCopper.Stated(),f.InnerCopper.Value,f.Tool.Value,"copper feats",pp,"with net",nn,"holes with net",hn, "minD",f.MinDrill.Value,"minT",f.MinTrack.Value)
   for _,c:=range b.Components[:min(2,len(b.Components))] {fmt.Printf("   %+v\n",c)}
   }}
}
