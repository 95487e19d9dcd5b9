/* paxos_literal.ftdp as one process of deterministic steps, to be held against
 * Spin: the same 538,998 states, and two before a start is chosen. A channel is a
 * byte: 0 empty, 1 and 2 READ, 10 to 33 READ_REPL, 40 to 43 WRITE.
 *
 *   spin -a paxos_literal.pml && gcc -O3 -DSAFETY -DNOREDUCE -DMEMLIM=4000 -o pan pan.c && ./pan -E -m1000000 -w22
 */
byte num[2]; byte id[2]; byte cnt[2]; byte hp[2]; byte hv[2]; byte cur[3]; byte acc[3]; byte high[3]; byte st[3]; byte la[6]; byte al[6];
active proctype main() { byte m; 
 d_step { cnt[0]=9; cnt[1]=9; hp[0]=9; hp[1]=9; hv[0]=9; hv[1]=9; }
 if
 :: d_step { num[0]=1; num[1]=2; st[0]=1 }
 :: d_step { num[0]=1; num[1]=2; st[1]=1 }
 :: d_step { num[0]=1; num[1]=2; st[2]=1 }
 :: d_step { num[0]=2; num[1]=1; st[0]=1 }
 :: d_step { num[0]=2; num[1]=1; st[1]=1 }
 :: d_step { num[0]=2; num[1]=1; st[2]=1 }
 fi;
 do
 :: d_step { id[0]<1 -> id[0]=1; cnt[0]=0; hp[0]=0; if :: st[0]!=2 && la[0]==0 -> la[0]=num[0] :: else fi;if :: st[1]!=2 && la[1]==0 -> la[1]=num[0] :: else fi;if :: st[2]!=2 && la[2]==0 -> la[2]=num[0] :: else fi; }
 :: d_step { id[1]<1 -> id[1]=1; cnt[1]=0; hp[1]=0; if :: st[0]!=2 && la[3]==0 -> la[3]=num[1] :: else fi;if :: st[1]!=2 && la[4]==0 -> la[4]=num[1] :: else fi;if :: st[2]!=2 && la[5]==0 -> la[5]=num[1] :: else fi; }
 :: d_step { st[0]!=2 && la[0]>0 && la[0]<3 -> m=la[0]; if :: m>high[0] -> high[0]=m; if :: al[0]==0 -> al[0]=(10+(m-1)*12+cur[0]*4+(cur[0]>0 -> acc[0] : 0)) :: else fi; :: else fi; la[0]=0; m=0 }
 :: d_step { st[0]!=2 && la[0]>0 && la[0]<3 -> la[0]=0 }
 :: d_step { st[0]!=2 && la[0]>=40 -> m=la[0]-40; if :: m/2+1>=high[0] -> cur[0]=m/2+1; acc[0]=m%2+1 :: else fi; la[0]=0; m=0 }
 :: d_step { st[0]!=2 && la[0]>=40 -> la[0]=0 }
 :: d_step { al[0]>0 -> m=al[0]-10; if :: cnt[0]<2 -> cnt[0]++; if :: (m%12)/4>hp[0] -> hp[0]=(m%12)/4; hv[0]=m%4 :: else fi; if :: cnt[0]==2 -> if :: st[0]!=2 && la[0]==0 -> la[0]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi;if :: st[1]!=2 && la[1]==0 -> la[1]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi;if :: st[2]!=2 && la[2]==0 -> la[2]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi; :: else fi :: else fi; al[0]=0; m=0 }
 :: d_step { al[0]>0 -> al[0]=0 }
 :: d_step { al[0]>0 && st[0]!=0 -> st[0]=2; al[0]=0 }
 :: d_step { st[0]!=2 && la[3]>0 && la[3]<3 -> m=la[3]; if :: m>high[0] -> high[0]=m; if :: al[1]==0 -> al[1]=(10+(m-1)*12+cur[0]*4+(cur[0]>0 -> acc[0] : 0)) :: else fi; :: else fi; la[3]=0; m=0 }
 :: d_step { st[0]!=2 && la[3]>0 && la[3]<3 -> la[3]=0 }
 :: d_step { st[0]!=2 && la[3]>=40 -> m=la[3]-40; if :: m/2+1>=high[0] -> cur[0]=m/2+1; acc[0]=m%2+1 :: else fi; la[3]=0; m=0 }
 :: d_step { st[0]!=2 && la[3]>=40 -> la[3]=0 }
 :: d_step { al[1]>0 -> m=al[1]-10; if :: cnt[1]<2 -> cnt[1]++; if :: (m%12)/4>hp[1] -> hp[1]=(m%12)/4; hv[1]=m%4 :: else fi; if :: cnt[1]==2 -> if :: st[0]!=2 && la[3]==0 -> la[3]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi;if :: st[1]!=2 && la[4]==0 -> la[4]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi;if :: st[2]!=2 && la[5]==0 -> la[5]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi; :: else fi :: else fi; al[1]=0; m=0 }
 :: d_step { al[1]>0 -> al[1]=0 }
 :: d_step { al[1]>0 && st[0]!=0 -> st[0]=2; al[1]=0 }
 :: d_step { st[1]!=2 && la[1]>0 && la[1]<3 -> m=la[1]; if :: m>high[1] -> high[1]=m; if :: al[2]==0 -> al[2]=(10+(m-1)*12+cur[1]*4+(cur[1]>0 -> acc[1] : 0)) :: else fi; :: else fi; la[1]=0; m=0 }
 :: d_step { st[1]!=2 && la[1]>0 && la[1]<3 -> la[1]=0 }
 :: d_step { st[1]!=2 && la[1]>=40 -> m=la[1]-40; if :: m/2+1>=high[1] -> cur[1]=m/2+1; acc[1]=m%2+1 :: else fi; la[1]=0; m=0 }
 :: d_step { st[1]!=2 && la[1]>=40 -> la[1]=0 }
 :: d_step { al[2]>0 -> m=al[2]-10; if :: cnt[0]<2 -> cnt[0]++; if :: (m%12)/4>hp[0] -> hp[0]=(m%12)/4; hv[0]=m%4 :: else fi; if :: cnt[0]==2 -> if :: st[0]!=2 && la[0]==0 -> la[0]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi;if :: st[1]!=2 && la[1]==0 -> la[1]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi;if :: st[2]!=2 && la[2]==0 -> la[2]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi; :: else fi :: else fi; al[2]=0; m=0 }
 :: d_step { al[2]>0 -> al[2]=0 }
 :: d_step { al[2]>0 && st[1]!=0 -> st[1]=2; al[2]=0 }
 :: d_step { st[1]!=2 && la[4]>0 && la[4]<3 -> m=la[4]; if :: m>high[1] -> high[1]=m; if :: al[3]==0 -> al[3]=(10+(m-1)*12+cur[1]*4+(cur[1]>0 -> acc[1] : 0)) :: else fi; :: else fi; la[4]=0; m=0 }
 :: d_step { st[1]!=2 && la[4]>0 && la[4]<3 -> la[4]=0 }
 :: d_step { st[1]!=2 && la[4]>=40 -> m=la[4]-40; if :: m/2+1>=high[1] -> cur[1]=m/2+1; acc[1]=m%2+1 :: else fi; la[4]=0; m=0 }
 :: d_step { st[1]!=2 && la[4]>=40 -> la[4]=0 }
 :: d_step { al[3]>0 -> m=al[3]-10; if :: cnt[1]<2 -> cnt[1]++; if :: (m%12)/4>hp[1] -> hp[1]=(m%12)/4; hv[1]=m%4 :: else fi; if :: cnt[1]==2 -> if :: st[0]!=2 && la[3]==0 -> la[3]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi;if :: st[1]!=2 && la[4]==0 -> la[4]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi;if :: st[2]!=2 && la[5]==0 -> la[5]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi; :: else fi :: else fi; al[3]=0; m=0 }
 :: d_step { al[3]>0 -> al[3]=0 }
 :: d_step { al[3]>0 && st[1]!=0 -> st[1]=2; al[3]=0 }
 :: d_step { st[2]!=2 && la[2]>0 && la[2]<3 -> m=la[2]; if :: m>high[2] -> high[2]=m; if :: al[4]==0 -> al[4]=(10+(m-1)*12+cur[2]*4+(cur[2]>0 -> acc[2] : 0)) :: else fi; :: else fi; la[2]=0; m=0 }
 :: d_step { st[2]!=2 && la[2]>0 && la[2]<3 -> la[2]=0 }
 :: d_step { st[2]!=2 && la[2]>=40 -> m=la[2]-40; if :: m/2+1>=high[2] -> cur[2]=m/2+1; acc[2]=m%2+1 :: else fi; la[2]=0; m=0 }
 :: d_step { st[2]!=2 && la[2]>=40 -> la[2]=0 }
 :: d_step { al[4]>0 -> m=al[4]-10; if :: cnt[0]<2 -> cnt[0]++; if :: (m%12)/4>hp[0] -> hp[0]=(m%12)/4; hv[0]=m%4 :: else fi; if :: cnt[0]==2 -> if :: st[0]!=2 && la[0]==0 -> la[0]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi;if :: st[1]!=2 && la[1]==0 -> la[1]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi;if :: st[2]!=2 && la[2]==0 -> la[2]=(40+(num[0]-1)*2+((hp[0]==0 -> num[0] : hv[0])-1)) :: else fi; :: else fi :: else fi; al[4]=0; m=0 }
 :: d_step { al[4]>0 -> al[4]=0 }
 :: d_step { al[4]>0 && st[2]!=0 -> st[2]=2; al[4]=0 }
 :: d_step { st[2]!=2 && la[5]>0 && la[5]<3 -> m=la[5]; if :: m>high[2] -> high[2]=m; if :: al[5]==0 -> al[5]=(10+(m-1)*12+cur[2]*4+(cur[2]>0 -> acc[2] : 0)) :: else fi; :: else fi; la[5]=0; m=0 }
 :: d_step { st[2]!=2 && la[5]>0 && la[5]<3 -> la[5]=0 }
 :: d_step { st[2]!=2 && la[5]>=40 -> m=la[5]-40; if :: m/2+1>=high[2] -> cur[2]=m/2+1; acc[2]=m%2+1 :: else fi; la[5]=0; m=0 }
 :: d_step { st[2]!=2 && la[5]>=40 -> la[5]=0 }
 :: d_step { al[5]>0 -> m=al[5]-10; if :: cnt[1]<2 -> cnt[1]++; if :: (m%12)/4>hp[1] -> hp[1]=(m%12)/4; hv[1]=m%4 :: else fi; if :: cnt[1]==2 -> if :: st[0]!=2 && la[3]==0 -> la[3]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi;if :: st[1]!=2 && la[4]==0 -> la[4]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi;if :: st[2]!=2 && la[5]==0 -> la[5]=(40+(num[1]-1)*2+((hp[1]==0 -> num[1] : hv[1])-1)) :: else fi; :: else fi :: else fi; al[5]=0; m=0 }
 :: d_step { al[5]>0 -> al[5]=0 }
 :: d_step { al[5]>0 && st[2]!=0 -> st[2]=2; al[5]=0 }
 :: ((cur[0]==cur[1] && cur[0]>0 && acc[0]==1 && acc[1]==1) || (cur[0]==cur[2] && cur[0]>0 && acc[0]==1 && acc[2]==1) || (cur[1]==cur[2] && cur[1]>0 && acc[1]==1 && acc[2]==1)) && ((cur[0]==cur[1] && cur[0]>0 && acc[0]==2 && acc[1]==2) || (cur[0]==cur[2] && cur[0]>0 && acc[0]==2 && acc[2]==2) || (cur[1]==cur[2] && cur[1]>0 && acc[1]==2 && acc[2]==2)) -> assert(false)
 od }
