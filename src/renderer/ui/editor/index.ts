import { lazy } from 'react';

export type { CodeEditorProps, EditorHandle, Mark } from './code-editor.tsx';
export type { Help } from './help.ts';
export { createEditorTexts, type EditorTextKey, type EditorTexts } from './help.ts';

export const CodeEditor = lazy(() => import('./code-editor.tsx'));
