import type { editor } from 'monaco-editor/editor';
import type { Hover } from '../../../shared/language/editing/hover.ts';
import type { Suggestion } from '../../../shared/language/editing/complete.ts';
import type { Finding } from '../../../shared/language/lint/notes.ts';

/** Completion and hover of one editor. Offsets are in UTF-16 units. */
export interface Help {
  readonly complete: (text: string, offset: number) => Promise<readonly Suggestion[]>;
  readonly hover: (text: string, offset: number) => Promise<Hover | null>;
  /** Null: the text can't be formatted. */
  readonly format: (text: string) => Promise<string | null>;
}

export interface EditorHelp {
  readonly help: Help | undefined;
  readonly text: string;
  readonly findings: readonly Finding[];
}

// The library passes only the model to its providers.
const helpByModel = new WeakMap<editor.ITextModel, EditorHelp>();

export const setEditorHelp = (model: editor.ITextModel, help: EditorHelp): void =>
  void helpByModel.set(model, help);
export const editorHelpOf = (model: editor.ITextModel): EditorHelp | undefined => helpByModel.get(model);
