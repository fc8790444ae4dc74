import type { editor } from 'monaco-editor/editor';
import type { Hover } from '../../../shared/language/editing/hover.ts';
import type { Suggestion } from '../../../shared/language/editing/complete.ts';
import type { Finding } from '../../../shared/language/lint/notes.ts';

/** Offsets are in UTF-16 units. */
export interface Help {
  readonly complete: (text: string, offset: number) => Promise<readonly Suggestion[]>;
  readonly hover: (text: string, offset: number) => Promise<Hover | null>;
  /** Null: the text can't be formatted. */
  readonly format: (text: string) => Promise<string | null>;
}

interface EditorHelp {
  readonly help: Help | undefined;
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** The help of each editor: the library passes only the model to its providers. */
export const helpByModel = new WeakMap<editor.ITextModel, EditorHelp>();

/** Texts with their undo history, by name, which outlive the editors that show them. */
export function createEditorTexts() {
  const models = new Map<string, editor.ITextModel>();
  return {
    models,
    close(): void {
      for (const model of models.values()) model.dispose();
      models.clear();
    },
  };
}

export type EditorTexts = ReturnType<typeof createEditorTexts>;

/** A stored text and its name. */
export interface EditorTextKey {
  readonly in: EditorTexts;
  readonly as: string;
}

/** The stored text of a name, created on first use; without a name, it is disposed with its editor. */
export function storedModel(
  keep: EditorTextKey | undefined,
  create: () => editor.ITextModel,
): editor.ITextModel {
  const stored = keep?.in.models.get(keep.as);
  if (stored) return stored;
  const model = create();
  keep?.in.models.set(keep.as, model);
  return model;
}
