package emit

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/names"
)

// vocabulary is what a language does not take for names.
type vocabulary struct {
	own     []string // its own words, and those that a text has anyway
	anyCase []string // its own words in whatever case, here in lower case
	starts  []string // what no name may begin with
}

// with returns words and others.
func (v vocabulary) with(own []string) vocabulary {
	v.own = append(slices.Clone(v.own), own...)
	return v
}

// free returns a name like the given one that the language takes, and that is not taken.
func (v vocabulary) free(name string, taken map[string]bool) string {
	for _, s := range v.starts {
		if strings.HasPrefix(name, s) {
			name = "x" + name
		}
	}
	return names.Free(name, "_", func(n string) bool {
		return taken[n] || slices.Contains(v.own, n) || slices.Contains(v.anyCase, strings.ToLower(n))
	})
}

// wordsMurphi are rumur's and CMurphi's.
var wordsMurphi = vocabulary{
	anyCase: strings.Fields(`alias array assert assume begin boolean by case clear cover const do else elsif end endalias endcase endclear
		endexists endfor endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch
		endwhile enum error exists false for forall from function if in integer interleaved invariant ismember isundefined ltl
		liveness log multiset multisetadd multisetcount multisetremove of procedure process program property put real record
		return rule ruleset scalarset startstate string struct switch then to traceuntil true type undefine undefined union
		union_ unionscalarset until var while`),
	starts: []string{"_"},
}

// wordsPromela are Promela's, and those of C and of the C text that Spin writes: variables are members of a structure
// there.
var wordsPromela = vocabulary{
	own: strings.Fields(`active always assert atomic bit bool break byte c_code c_decl c_expr c_state c_track chan d_step D_proctype do else
		empty enabled equivalent eval eventually false fi for full get_priority goto hidden if implies in init inline int len
		local ltl mtype nempty never next nfull notrace np_ od of pc_value pid printf printm priority proctype provided read_
		release return run select set_priority short show skip stronguntil timeout trace true typedef U unless unsigned until
		V W weakuntil X xr xs asm auto case char const continue default double enum extern float goto if inline int long
		register restrict return short signed sizeof static struct switch typedef typeof uchar uint ulong union unix linux
		unsigned ushort void volatile while EOF NULL errno rand ACCEPT_LAB ALL_P ALPHA_F ASYNC AUTO_RESIZE A_V Air0 Air1
		BACKWARD_MOVES BAD BASE CHUNK CNT_P CONTINUE CONTINUE0 DELTA FORWARD_MOVES FREQ FROM_P FULLSTACK GLOBAL G_int G_long
		HAS_CODE HAS_TRACK INI_P IfNotBlocked LOCAL MAXPROC MAXQ MERGED MORE_P NCLAIMS NCORE NDONE_P NFAIR NQS NTRANS ONE_L
		PAN_H PROG_LAB PanSource Pinit Q_EMPT_F Q_EMPT_T Q_FULL_F Q_FULL_T SYNC S_IREAD S_IWRITE SpinVersion StackSize
		TIMEOUT_F TRANSITIONS T_ID UPTO_P UnBlock VECTORSZ VERI V_A V_PROVISO WS bfs_Uerror bfs_uerror dfs_Uerror dfs_uerror
		fs_Uerror fs_nuerror fs_uerror maxseq0 minseq0 uerror`),
	starts: []string{"_"},
}

// wordsTLA are those of TLA+, and of TLC's configurations.
var wordsTLA = vocabulary{
	own: strings.Fields(`ACTION ASSUME ASSUMPTION AXIOM BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF DEFINE DEFS DOMAIN ELSE ENABLED
		EXCEPT
		EXTENDS HAVE HIDE IF IN INSTANCE LAMBDA LEMMA LET LOCAL MODULE NEW OBVIOUS OMITTED ONLY OTHER PICK PROOF PROPOSITION
		PROVE QED RECURSIVE STATE SUBSET SUFFICES TAKE TEMPORAL THEN THEOREM UNCHANGED UNION USE VARIABLE VARIABLES WITH
		WITNESS TRUE FALSE BOOLEAN STRING Nat Int Init Next Spec vars ACTION_CONSTRAINT ACTION_CONSTRAINTS ALIAS
		CHECK_DEADLOCK CONSTRAINT CONSTRAINTS INIT INVARIANT INVARIANTS NEXT POSTCONDITION PROPERTIES PROPERTY SPECIFICATION
		SYMMETRY TYPE TYPE_CONSTRAINT VIEW`),
	starts: []string{"WF_", "SF_", "_"},
}
