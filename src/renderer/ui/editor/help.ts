import type { editor } from 'monaco-editor/editor';
import type { Hover } from '../../../shared/language/editing/hover.ts';
import type { Suggestion } from '../../../shared/language/editing/suggestion.ts';
import type { Finding } from '../../../shared/language/lint/notes.ts';

/** What helps with typing in one editor. Offsets are in UTF-16 units. */
export interface Help {
  readonly complete: (text: string, offset: number) => Promise<readonly Suggestion[]>;
  readonly hover: (text: string, offset: number) => Promise<Hover | null>;
  /** Null: the text can't be laid out as it is. */
  readonly format: (text: string) => Promise<string | null>;
}

/** What is known of one editor's text: who helps with it, and what was found in which state of it. */
export interface EditorHelp {
  readonly help: Help | undefined;
  readonly text: string;
  readonly findings: readonly Finding[];
}

// The editor's library asks its helpers by the model; each editor of ours has its own.
const helpByModel = new WeakMap<editor.ITextModel, EditorHelp>();

export const setEditorHelp = (model: editor.ITextModel, by: EditorHelp): void =>
  void helpByModel.set(model, by);
export const editorHelpOf = (model: editor.ITextModel): EditorHelp | undefined => helpByModel.get(model);
