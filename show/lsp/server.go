// Package lsp is a language server for models: what is wrong with them as they are typed, what a name means and where
// it stands, what can come next, highlighting, renaming, formatting, and lenses over each specification that decide it.
// It knows nothing of kinds of models: what they can do is said by package model, and their names are an index.Index.
package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/tacheck/tacheck/verify"
)

// The commands of the lenses over a specification, to verify it for all sizes and to explore a small instance, or the
// one that the text has; their arguments are the document's URI and the specification's name.
const (
	verifyCommand  = "tacheck.verify"
	exploreCommand = "tacheck.explore"
)

// Serve answers an editor on a stream until it says exit or closes it. The
// error is that of the stream, or of an exit without shutdown.
func Serve(ctx context.Context, stream io.ReadWriteCloser, release string, o verify.Options) error {
	return serve(ctx, jsonrpc2.NewStream(stream), release, o)
}

// ServeMessages is Serve for a stream of messages without headers, each written at once:
// for pages, whose sockets know where messages end.
func ServeMessages(ctx context.Context, stream io.ReadWriteCloser, release string, o verify.Options) error {
	return serve(ctx, jsonrpc2.NewRawStream(stream), release, o)
}

func serve(ctx context.Context, stream jsonrpc2.Stream, release string, o verify.Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{ctx: ctx, release: release, options: o, docs: map[protocol.DocumentURI]*document{},
		exit: make(chan struct{})}
	s.conn = jsonrpc2.NewConn(stream)
	s.conn.Go(ctx, protocol.CancelHandler(s.handle))
	select {
	case <-s.exit:
	case <-s.conn.Done():
	case <-ctx.Done():
	}
	cancel() // of verifications that are under way
	s.running.Wait()
	_ = s.conn.Close() // the client is gone
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.exiting && !s.stopping {
		return fmt.Errorf("the editor said exit without shutdown")
	}
	return nil
}

type server struct {
	ctx     context.Context // of the whole session
	release string
	options verify.Options
	conn    jsonrpc2.Conn
	exit    chan struct{}
	running sync.WaitGroup

	mu                sync.Mutex
	docs              map[protocol.DocumentURI]*document
	stopping, exiting bool
	refresh           bool // the editor asks for lenses again if told to
}

// handle answers a message. Messages come one after the other; a verification goes on in the background.
func (s *server) handle(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	switch req.Method() {
	case protocol.MethodInitialize:
		return answer(ctx, reply, req, s.initialize)
	case protocol.MethodInitialized, protocol.MethodTextDocumentDidSave, protocol.MethodSetTrace:
		return reply(ctx, nil, nil)
	case protocol.MethodShutdown:
		s.mu.Lock()
		s.stopping = true
		s.mu.Unlock()
		return reply(ctx, nil, nil)
	case protocol.MethodExit:
		s.mu.Lock()
		s.exiting = true
		s.mu.Unlock()
		close(s.exit)
		return reply(ctx, nil, nil)
	case protocol.MethodTextDocumentDidOpen:
		return note(ctx, reply, req, func(p *protocol.DidOpenTextDocumentParams) {
			s.update(ctx, p.TextDocument.URI, p.TextDocument.LanguageID, p.TextDocument.Text)
		})
	case protocol.MethodTextDocumentDidChange:
		return note(ctx, reply, req, func(p *protocol.DidChangeTextDocumentParams) {
			if n := len(p.ContentChanges); n > 0 { // each is the whole text
				s.update(ctx, p.TextDocument.URI, "", p.ContentChanges[n-1].Text)
			}
		})
	case protocol.MethodTextDocumentDidClose:
		return note(ctx, reply, req, func(p *protocol.DidCloseTextDocumentParams) { s.close(ctx, p.TextDocument.URI) })
	case protocol.MethodWorkspaceExecuteCommand:
		var start func()
		err := answer(ctx, reply, req, func(p *protocol.ExecuteCommandParams) (_ any, err error) {
			start, err = s.execute(p)
			return nil, err
		})
		if start != nil {
			s.running.Go(start) // it outlives the request
		}
		return err
	}
	return s.look(ctx, reply, req)
}

// look answers what is asked about a text.
func (s *server) look(ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request) error {
	switch req.Method() {
	case protocol.MethodTextDocumentHover:
		return answer(ctx, reply, req, func(p *protocol.HoverParams) (any, error) {
			return s.at(p.TextDocument.URI).hover(p.Position), nil
		})
	case protocol.MethodTextDocumentDefinition:
		return answer(ctx, reply, req, func(p *protocol.DefinitionParams) (any, error) {
			return s.at(p.TextDocument.URI).definition(p.Position), nil
		})
	case protocol.MethodTextDocumentReferences:
		return answer(ctx, reply, req, func(p *protocol.ReferenceParams) (any, error) {
			return s.at(p.TextDocument.URI).references(p.Position, p.Context.IncludeDeclaration), nil
		})
	case protocol.MethodTextDocumentDocumentHighlight:
		return answer(ctx, reply, req, func(p *protocol.DocumentHighlightParams) (any, error) {
			return s.at(p.TextDocument.URI).highlights(p.Position), nil
		})
	case protocol.MethodTextDocumentCompletion:
		return answer(ctx, reply, req, func(p *protocol.CompletionParams) (any, error) {
			return s.at(p.TextDocument.URI).complete(p.Position), nil
		})
	case protocol.MethodSemanticTokensFull:
		return answer(ctx, reply, req, func(p *protocol.SemanticTokensParams) (any, error) {
			return s.at(p.TextDocument.URI).tokens(), nil
		})
	case protocol.MethodTextDocumentPrepareRename:
		return answer(ctx, reply, req, func(p *protocol.PrepareRenameParams) (any, error) {
			return s.at(p.TextDocument.URI).renamable(p.Position)
		})
	case protocol.MethodTextDocumentRename:
		return answer(ctx, reply, req, func(p *protocol.RenameParams) (any, error) {
			return s.at(p.TextDocument.URI).rename(p.Position, p.NewName)
		})
	case protocol.MethodTextDocumentFormatting:
		return answer(ctx, reply, req, func(p *protocol.DocumentFormattingParams) (any, error) {
			return s.at(p.TextDocument.URI).format(), nil
		})
	case protocol.MethodTextDocumentDocumentSymbol:
		return answer(ctx, reply, req, func(p *protocol.DocumentSymbolParams) (any, error) {
			return s.at(p.TextDocument.URI).symbols(), nil
		})
	case protocol.MethodTextDocumentCodeLens:
		return answer(ctx, reply, req, func(p *protocol.CodeLensParams) (any, error) {
			d := s.at(p.TextDocument.URI)
			s.mu.Lock()
			defer s.mu.Unlock()
			return d.lenses(), nil
		})
	}
	return jsonrpc2.MethodNotFoundHandler(ctx, reply, req)
}

// semanticTokens says which tokens there are; the library has no type for it.
var semanticTokens = map[string]any{"full": true,
	"legend": protocol.SemanticTokensLegend{TokenTypes: tokenTypes, TokenModifiers: tokenModifiers}}

func (s *server) initialize(p *protocol.InitializeParams) (any, error) {
	if w := p.Capabilities.Workspace; w != nil && w.CodeLens != nil {
		s.mu.Lock()
		s.refresh = w.CodeLens.RefreshSupport
		s.mu.Unlock()
	}
	return &protocol.InitializeResult{
		ServerInfo: &protocol.ServerInfo{Name: "tacheck", Version: s.release},
		Capabilities: protocol.ServerCapabilities{
			TextDocumentSync: protocol.TextDocumentSyncOptions{OpenClose: true,
				Change: protocol.TextDocumentSyncKindFull},
			HoverProvider:              true,
			DefinitionProvider:         true,
			ReferencesProvider:         true,
			DocumentHighlightProvider:  true,
			RenameProvider:             &protocol.RenameOptions{PrepareProvider: true},
			CompletionProvider:         &protocol.CompletionOptions{TriggerCharacters: []string{".", "@"}},
			SemanticTokensProvider:     semanticTokens,
			DocumentFormattingProvider: true,
			DocumentSymbolProvider:     true,
			CodeLensProvider:           &protocol.CodeLensOptions{},
			ExecuteCommandProvider: &protocol.ExecuteCommandOptions{Commands: []string{verifyCommand,
				exploreCommand}},
		},
	}, nil
}

// answer reads a request's parameters, and replies with what f returns.
func answer[P any](ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request, f func(*P) (any, error)) error {
	var p P
	if err := json.Unmarshal(req.Params(), &p); err != nil {
		return reply(ctx, nil, fmt.Errorf("%w: %s: %w", jsonrpc2.ErrInvalidParams, req.Method(), err))
	}
	result, err := f(&p)
	var coded *jsonrpc2.Error
	if err != nil && !errors.As(err, &coded) {
		err = jsonrpc2.NewError(requestFailed, err.Error())
	}
	return reply(ctx, result, err)
}

// requestFailed is the protocol's code for a request that is well formed and cannot be done.
const requestFailed jsonrpc2.Code = -32803

// note is answer for notifications.
func note[P any](ctx context.Context, reply jsonrpc2.Replier, req jsonrpc2.Request, f func(*P)) error {
	return answer(ctx, reply, req, func(p *P) (any, error) { f(p); return nil, nil })
}

// at returns an open document; an empty one if it is not open.
func (s *server) at(uri protocol.DocumentURI) *document {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.docs[uri]; d != nil {
		return d
	}
	return newDocument(s.ctx, uri, "", "", nil)
}

// update takes over a text and publishes what is wrong with it.
func (s *server) update(ctx context.Context, uri protocol.DocumentURI, language protocol.LanguageIdentifier,
	text string) {
	s.mu.Lock()
	d := newDocument(ctx, uri, language, text, s.docs[uri])
	s.docs[uri] = d
	s.mu.Unlock()
	s.publish(ctx, d)
}

func (s *server) close(ctx context.Context, uri protocol.DocumentURI) {
	s.mu.Lock()
	delete(s.docs, uri)
	s.mu.Unlock()
	s.notify(ctx, protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{URI: uri,
		Diagnostics: []protocol.Diagnostic{}})
}

func (s *server) publish(ctx context.Context, d *document) {
	s.mu.Lock()
	list := d.diagnostics()
	s.mu.Unlock()
	s.notify(ctx, protocol.MethodTextDocumentPublishDiagnostics, &protocol.PublishDiagnosticsParams{URI: d.uri,
		Diagnostics: list})
}

// notify tells the editor something. If it does not listen any more, the connection ends, and that is seen there.
func (s *server) notify(ctx context.Context, method string, params any) {
	_ = s.conn.Notify(ctx, method, params)
}
