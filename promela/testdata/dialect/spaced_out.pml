symbolic  int   N , T
  ;
symbolic int F;
int   nsnt  =  0  ;
assume ( N>3*T&&T>=F ) ; assume ( F>=0 ) ;
assume(T>0);
atomic  acc  =  some ( Proc : st == 2 ) ;
atomic allacc = all ( ( Proc : st ) == ( 2 ) );
active  [ N - F ]  proctype  Proc  (  )
{
  byte st ; short r , nr ;
  if
  ::  true  ->  st = 0
  ::  true  ->  st = 1
  fi ;
  main_loop :
  do
  :: d_step {
       nr = r ;
       if :: nr < nsnt + F -> nr = nr + 1 :: true fi ;
       if
       :: ( st == 1 ) -> st = 2 ; nsnt ++
       :: ( st == 0 ) && ( nr > T ) -> st = 2 ; nsnt = nsnt + 1
       :: else -> skip
       fi ;
       r = nr ; nr = 0
     }
  od
}
ltl fairness { []<>( !( some ( Proc : r < nsnt ) ) ) }
ltl relay { [] ( acc -> <> allacc ) }
