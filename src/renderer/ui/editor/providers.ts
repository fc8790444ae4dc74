import { languages, Range, type editor } from 'monaco-editor/editor';
import type { Suggestion } from '../../../shared/language/editing/suggestion.ts';
import type { QuickFix } from '../../../shared/language/lint/notes.ts';
import type { Span } from '../../../shared/language/reader.ts';
import { editorHelpOf } from './help.ts';
import { queryLanguage } from './language.ts';
import { textOfModel } from './model-text.ts';

/** Where a span stands in a model. */
export function rangeOf(model: editor.ITextModel, { start, end }: Span): Range {
  return Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
}

const { CompletionItemKind } = languages;
const kinds: Record<Suggestion['kind'], languages.CompletionItemKind> = {
  field: CompletionItemKind.Field,
  operator: CompletionItemKind.Operator,
  stage: CompletionItemKind.Function,
  parameter: CompletionItemKind.Variable,
  value: CompletionItemKind.Value,
  well: CompletionItemKind.Constant,
};

/** Plain text as a snippet says it, with its stops in their places; at a single one the snippet ends. */
function snippetOf({ insert, stops = [] }: Pick<Suggestion, 'insert' | 'stops'>): string {
  const plain = (text: string) => text.replaceAll(/[$}\\]/g, String.raw`\$&`);
  const first = plain(insert.slice(0, stops[0]));
  return stops.reduce((text, stop, at) => {
    const number = stops.length === 1 ? 0 : at + 1;
    return `${text}$${String(number)}${plain(insert.slice(stop, stops[at + 1]))}`;
  }, first);
}

function itemOf(offer: Suggestion, at: number, model: editor.ITextModel): languages.CompletionItem {
  const { label, kind, detail, says, replace, matches, goesOn } = offer;
  return {
    label: detail === undefined ? label : { label, description: detail },
    kind: kinds[kind],
    insertText: snippetOf(offer),
    insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet,
    range: rangeOf(model, replace),
    sortText: String(at).padStart(5, '0'),
    filterText: matches ?? label,
    ...(says ? { documentation: says } : {}),
    ...(goesOn ? { command: { id: 'editor.action.triggerSuggest', title: '' } } : {}),
  };
}

/** Whether a sign that was typed begins something; offered at every blank, a list would be in the way. */
function begins(text: string, offset: number, sign: string): boolean {
  const before = text.slice(0, offset - 1).trimEnd();
  if (sign === ' ') return before.endsWith(':');
  return sign === '{' ? before.endsWith('{') : true;
}

const completion: languages.CompletionItemProvider = {
  triggerCharacters: ['$', '"', "'", '{', '.', ':', ' '],
  async provideCompletionItems(model, position, { triggerCharacter }) {
    const { help } = editorHelpOf(model) ?? {};
    const [text, offset] = [textOfModel(model), model.getOffsetAt(position)];
    if (!help || (triggerCharacter !== undefined && !begins(text, offset, triggerCharacter)))
      return { suggestions: [] };
    const offers = await help.complete(text, offset);
    const suggestions = offers.map((offer, at) => itemOf(offer, at, model));
    // Of many wells those are offered that fit what is typed: they are others with the next letter.
    return { suggestions, incomplete: offers.some(({ kind }) => kind === 'well') };
  },
};

// What a service sent may stand in it, and must not become markup.
const plainMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&$]/g, String.raw`\$&`);

const hovering: languages.HoverProvider = {
  async provideHover(model, position) {
    const { help } = editorHelpOf(model) ?? {};
    const told = await help?.hover(textOfModel(model), model.getOffsetAt(position));
    if (!told || model.isDisposed()) return null;
    const lines = [`**${plainMarkdown(told.title)}**`, ...told.says.map(plainMarkdown)];
    return { range: rangeOf(model, told), contents: lines.map((value) => ({ value })) };
  },
};

/** The edits of a fix as the editor's library wants them. */
export function editsOf(model: editor.ITextModel, { edits }: QuickFix): { range: Range; text: string }[] {
  return edits.map((edit) => ({ range: rangeOf(model, edit), text: edit.text }));
}

const fixes: languages.CodeActionProvider = {
  provideCodeActions(model, range, { markers }) {
    const { text, findings } = editorHelpOf(model) ?? { text: '', findings: [] };
    // Found in another state of the text, a fix would change the wrong piece.
    if (text !== textOfModel(model)) return null;
    const actions = findings.flatMap((finding): languages.CodeAction[] => {
      const { fix, message } = finding;
      const at = rangeOf(model, finding);
      if (!fix || !Range.areIntersectingOrTouching(at, range)) return [];
      return [
        {
          title: fix.title,
          kind: 'quickfix',
          isPreferred: true,
          diagnostics: markers.filter((marker) => marker.message === message),
          edit: {
            edits: editsOf(model, fix).map((textEdit) => ({
              resource: model.uri,
              textEdit,
              versionId: model.getVersionId(),
            })),
          },
        },
      ];
    });
    return { actions, dispose: () => undefined };
  },
};

const formatting: languages.DocumentFormattingEditProvider = {
  displayName: 'Wellbench',
  async provideDocumentFormattingEdits(model) {
    const before = textOfModel(model);
    const text = await editorHelpOf(model)?.help?.format(before);
    if (text === null || text === undefined || text === before || model.isDisposed()) return [];
    return [{ range: model.getFullModelRange(), text }];
  },
};

let registered = false;

/** Makes the helpers known to the editor's library, once; which editor they help, they learn from the model. */
export function registerProviders(): void {
  if (registered) return;
  registered = true;
  languages.registerCompletionItemProvider(queryLanguage, completion);
  languages.registerHoverProvider(queryLanguage, hovering);
  languages.registerCodeActionProvider(queryLanguage, fixes, { providedCodeActionKinds: ['quickfix'] });
  languages.registerDocumentFormattingEditProvider(queryLanguage, formatting);
}
