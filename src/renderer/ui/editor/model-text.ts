import type { editor } from 'monaco-editor/editor';

const put = new WeakMap<editor.ITextModel, { readonly version: number; readonly text: string }>();

/**
 * The text of a model, put together once for each of its versions: with each key several ask for it, and of a long one
 * each copy is work for the garbage collector.
 */
export function textOfModel(model: editor.ITextModel): string {
  const version = model.getVersionId();
  const known = put.get(model);
  if (known?.version === version) return known.text;
  const text = model.getValue();
  put.set(model, { version, text });
  return text;
}
