import { lazy } from 'react';

export type { CodeEditorProps, EditorHandle, Mark } from './code-editor.tsx';
export type { Help } from './help.ts';
export { createKeptTexts, type Keep, type KeptTexts } from './kept.ts';

/** The editor of queries, loaded when it is first shown. */
export const CodeEditor = lazy(() => import('./code-editor.tsx'));
