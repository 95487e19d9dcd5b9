package lsp

import (
	"slices"
	"strings"
	"unicode/utf16"

	"go.lsp.dev/protocol"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
)

// looks are how a kind of names is shown.
type looks struct {
	symbol protocol.SymbolKind
	item   protocol.CompletionItemKind
	token  protocol.SemanticTokenTypes
}

var (
	asConstant = looks{protocol.SymbolKindConstant, protocol.CompletionItemKindConstant, protocol.SemanticTokenVariable}
	asVariable = looks{protocol.SymbolKindVariable, protocol.CompletionItemKindVariable, protocol.SemanticTokenVariable}
	asType     = looks{protocol.SymbolKindClass, protocol.CompletionItemKindClass, protocol.SemanticTokenType}
	asProperty = looks{protocol.SymbolKindProperty, protocol.CompletionItemKindProperty, protocol.SemanticTokenFunction}
	asFunction = looks{protocol.SymbolKindFunction, protocol.CompletionItemKindFunction, protocol.SemanticTokenFunction}
	asEvent    = looks{protocol.SymbolKindEvent, protocol.CompletionItemKindEvent, protocol.SemanticTokenEvent}
	asMacro    = looks{protocol.SymbolKindConstant, protocol.CompletionItemKindConstant, protocol.SemanticTokenMacro}
	asMember   = looks{protocol.SymbolKindEnumMember, protocol.CompletionItemKindEnumMember,
		protocol.SemanticTokenEnumMember}
	asArgument = looks{protocol.SymbolKindVariable, protocol.CompletionItemKindVariable,
		protocol.SemanticTokenParameter}
)

var shown = map[index.Kind]looks{
	index.Model: {protocol.SymbolKindModule, protocol.CompletionItemKindModule, protocol.SemanticTokenNamespace},
	// Parameters of a model are its constants.
	index.Parameter: asConstant, index.Constant: asConstant, index.Unknown: asConstant,
	index.Shared: asVariable, index.Variable: asVariable, index.States: asVariable, index.Bound: asArgument,
	index.MacroParameter: asArgument,
	index.Location:       asType, index.Type: asType, index.Message: asType, index.Role: asType, index.Process: asType,
	index.Rule: asEvent, index.Initial: asEvent, index.Label: asEvent,
	index.Macro: asMacro, index.Definition: asFunction, index.Proposition: asFunction,
	index.MessageKind: asMember, index.Value: asMember,
	index.Field:         {protocol.SymbolKindField, protocol.CompletionItemKindField, protocol.SemanticTokenProperty},
	index.Specification: asProperty, index.Formula: asProperty, index.Fairness: asProperty, index.Invariant: asProperty,
	index.Reading: {protocol.SymbolKindNamespace, protocol.CompletionItemKindModule, protocol.SemanticTokenNamespace},
	index.BuiltIn: {protocol.SymbolKindConstant, protocol.CompletionItemKindKeyword, protocol.SemanticTokenKeyword},
}

// The legend of what semantic tokens say with numbers.
var (
	tokenTypes = []protocol.SemanticTokenTypes{protocol.SemanticTokenNamespace, protocol.SemanticTokenType,
		protocol.SemanticTokenParameter,
		protocol.SemanticTokenVariable, protocol.SemanticTokenProperty, protocol.SemanticTokenEnumMember,
		protocol.SemanticTokenEvent,
		protocol.SemanticTokenFunction, protocol.SemanticTokenMacro, protocol.SemanticTokenKeyword,
		protocol.SemanticTokenNumber,
		protocol.SemanticTokenString, protocol.SemanticTokenOperator, protocol.SemanticTokenComment}
	tokenModifiers = []protocol.SemanticTokenModifiers{protocol.SemanticTokenModifierDeclaration,
		protocol.SemanticTokenModifierReadonly,
		protocol.SemanticTokenModifierModification}
)

const declares, readonly, modifies = 1, 2, 4 // bits, in the order of tokenModifiers

var classes = map[index.Class]protocol.SemanticTokenTypes{index.Keyword: protocol.SemanticTokenKeyword,
	index.Number: protocol.SemanticTokenNumber,
	index.Text:   protocol.SemanticTokenString, index.Operator: protocol.SemanticTokenOperator,
	index.Comment:   protocol.SemanticTokenComment,
	index.Directive: protocol.SemanticTokenMacro}

// tokens are the words of the text for highlighting, five numbers each.
func (d *document) tokens() *protocol.SemanticTokens {
	out := &protocol.SemanticTokens{Data: []uint32{}}
	x := d.names()
	writes := map[diag.Pos]bool{}
	for _, s := range x.Symbols {
		for _, u := range s.Uses {
			writes[u.Pos] = u.Writes
		}
	}
	var line, col uint32
	for _, t := range x.Tokens {
		kind, modifiers, known := classes[t.Class], uint32(0), true
		if s := x.Of(t); s != nil {
			kind = shown[s.Kind].token
			if s.Pos == t.Pos {
				modifiers |= declares
			}
			if shown[s.Kind].symbol == protocol.SymbolKindConstant {
				modifiers |= readonly
			}
			if writes[t.Pos] {
				modifiers |= modifies
			}
		} else if t.Class == index.Name {
			kind, known = protocol.SemanticTokenKeyword, slices.Contains(x.Contextual, t.Text)
		}
		if !known {
			continue
		}
		for i, text := range strings.Split(t.Text, "\n") { // a token does not go over lines
			at := t.Pos
			if at.Line += i; i > 0 {
				at.Col = 1
			}
			width := uint32(len(utf16.Encode([]rune(strings.TrimSuffix(text, "\r")))))
			if width == 0 {
				continue
			}
			p := d.position(at)
			if p.Line != line {
				col = 0
			}
			out.Data = append(out.Data, p.Line-line, p.Character-col, width, uint32(slices.Index(tokenTypes, kind)),
				modifiers)
			line, col = p.Line, p.Character
		}
	}
	return out
}
