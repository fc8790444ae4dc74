import type { editor } from 'monaco-editor/editor';

/** Texts with their undo history, by name, which outlive the editors that show them. */
export interface EditorTexts {
  readonly models: Map<string, editor.ITextModel>;
  /** Disposes all of them. */
  readonly close: () => void;
}

export function createEditorTexts(): EditorTexts {
  const models: EditorTexts['models'] = new Map();
  return {
    models,
    close() {
      for (const model of models.values()) model.dispose();
      models.clear();
    },
  };
}

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
