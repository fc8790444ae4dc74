import { languages, Range, type editor } from 'monaco-editor/editor';
import type { Suggestion } from '../../../shared/language/editing/suggestion.ts';
import type { QuickFix } from '../../../shared/language/lint/notes.ts';
import type { Span } from '../../../shared/language/reader.ts';
import { editorHelpOf } from './help.ts';
import { queryLanguage, sqlLanguage } from './language.ts';
import { textOfModel } from './model-text.ts';

/** The range of a span in a model. */
export function spanRange(model: editor.ITextModel, { start, end }: Span): Range {
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

/** A text as a snippet with its tab stops; a single one ends the snippet. */
function snippetText({ insert, stops = [] }: Pick<Suggestion, 'insert' | 'stops'>): string {
  const plain = (text: string) => text.replaceAll(/[$}\\]/g, String.raw`\$&`);
  const first = plain(insert.slice(0, stops[0]));
  return stops.reduce((text, stop, at) => {
    const number = stops.length === 1 ? 0 : at + 1;
    return `${text}$${String(number)}${plain(insert.slice(stop, stops[at + 1]))}`;
  }, first);
}

function completionItem(offer: Suggestion, at: number, model: editor.ITextModel): languages.CompletionItem {
  const { label, kind, detail, says, replace, matches, continues } = offer;
  return {
    label: detail === undefined ? label : { label, description: detail },
    kind: kinds[kind],
    insertText: snippetText(offer),
    insertTextRules: languages.CompletionItemInsertTextRule.InsertAsSnippet,
    range: spanRange(model, replace),
    sortText: String(at).padStart(5, '0'),
    filterText: matches ?? label,
    ...(says ? { documentation: says } : {}),
    ...(continues ? { command: { id: 'editor.action.triggerSuggest', title: '' } } : {}),
  };
}

/** Whether a typed character starts a token: a list after every space would distract. */
function startsToken(text: string, offset: number, sign: string): boolean {
  const before = text.slice(0, offset - 1).trimEnd();
  if (sign === ' ') return before.endsWith(':');
  return sign === '{' ? before.endsWith('{') : true;
}

const completionProvider: languages.CompletionItemProvider = {
  triggerCharacters: ['$', '"', "'", '{', '.', ':', ' '],
  async provideCompletionItems(model, position, { triggerCharacter }) {
    const { help } = editorHelpOf(model) ?? {};
    const [text, offset] = [textOfModel(model), model.getOffsetAt(position)];
    if (!help || (triggerCharacter !== undefined && !startsToken(text, offset, triggerCharacter)))
      return { suggestions: [] };
    const offers = await help.complete(text, offset);
    const suggestions = offers.map((offer, at) => completionItem(offer, at, model));
    // Wells depend on the typed text: each letter changes the list.
    return { suggestions, incomplete: offers.some(({ kind }) => kind === 'well') };
  },
};

// Texts of a service must not become markup.
const plainMarkdown = (text: string): string =>
  text.replaceAll(/[\\`*_{}[\]()#+\-.!<>|~&$]/g, String.raw`\$&`);

const hoverProvider: languages.HoverProvider = {
  async provideHover(model, position) {
    const { help } = editorHelpOf(model) ?? {};
    const hover = await help?.hover(textOfModel(model), model.getOffsetAt(position));
    if (!hover || model.isDisposed()) return null;
    const lines = [`**${plainMarkdown(hover.title)}**`, ...hover.says.map(plainMarkdown)];
    return { range: spanRange(model, hover), contents: lines.map((value) => ({ value })) };
  },
};

/** The edits of a fix in the library's form. */
export function fixEdits(model: editor.ITextModel, { edits }: QuickFix): { range: Range; text: string }[] {
  return edits.map((edit) => ({ range: spanRange(model, edit), text: edit.text }));
}

const codeActionProvider: languages.CodeActionProvider = {
  provideCodeActions(model, range, { markers }) {
    const { text, findings } = editorHelpOf(model) ?? { text: '', findings: [] };
    // A fix for an earlier text would change the wrong span.
    if (text !== textOfModel(model)) return null;
    const actions = findings.flatMap((finding): languages.CodeAction[] => {
      const { fix, message } = finding;
      const at = spanRange(model, finding);
      if (!fix || !Range.areIntersectingOrTouching(at, range)) return [];
      return [
        {
          title: fix.title,
          kind: 'quickfix',
          isPreferred: true,
          diagnostics: markers.filter((marker) => marker.message === message),
          edit: {
            edits: fixEdits(model, fix).map((textEdit) => ({
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

const formattingProvider: languages.DocumentFormattingEditProvider = {
  displayName: 'Wellbench',
  async provideDocumentFormattingEdits(model) {
    const before = textOfModel(model);
    const text = await editorHelpOf(model)?.help?.format(before);
    if (text === null || text === undefined || text === before || model.isDisposed()) return [];
    return [{ range: model.getFullModelRange(), text }];
  },
};

let isRegistered = false;

/** Registers the providers once; the model identifies the editor. */
export function registerProviders(): void {
  if (isRegistered) return;
  isRegistered = true;
  languages.registerCompletionItemProvider([queryLanguage, sqlLanguage], completionProvider);
  languages.registerHoverProvider([queryLanguage, sqlLanguage], hoverProvider);
  languages.registerCodeActionProvider(queryLanguage, codeActionProvider, {
    providedCodeActionKinds: ['quickfix'],
  });
  languages.registerDocumentFormattingEditProvider(queryLanguage, formattingProvider);
}
