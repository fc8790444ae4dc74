import type { editor } from 'monaco-editor/editor';

/** Texts with their undo, by name, for as long as their owner lives: they outlive the editors that show them. */
export interface KeptTexts {
  readonly models: Map<string, editor.ITextModel>;
  /** Lets all of them go. */
  readonly close: () => void;
}

export function createKeptTexts(): KeptTexts {
  const models: KeptTexts['models'] = new Map();
  return {
    models,
    close() {
      for (const model of models.values()) model.dispose();
      models.clear();
    },
  };
}

/** A text that is kept under a name of its own. */
export interface Keep {
  readonly in: KeptTexts;
  readonly as: string;
}

/** The text kept under a name, made when there is none; what is not kept goes with its editor. */
export function keptModel(keep: Keep | undefined, make: () => editor.ITextModel): editor.ITextModel {
  const kept = keep?.in.models.get(keep.as);
  if (kept) return kept;
  const made = make();
  keep?.in.models.set(keep.as, made);
  return made;
}
