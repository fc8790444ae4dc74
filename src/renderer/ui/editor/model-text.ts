import type { editor } from 'monaco-editor/editor';

const cachedTexts = new WeakMap<editor.ITextModel, { readonly version: number; readonly text: string }>();

/**
 * A model's text, cached by version: each key press needs it several times, and copies of long texts burden
 * the garbage collector.
 */
export function textOfModel(model: editor.ITextModel): string {
  const version = model.getVersionId();
  const cached = cachedTexts.get(model);
  if (cached?.version === version) return cached.text;
  const text = model.getValue();
  cachedTexts.set(model, { version, text });
  return text;
}
