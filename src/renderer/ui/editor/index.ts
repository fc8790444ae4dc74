import { lazy } from 'react';

export type { Mark } from './code-editor.tsx';

/** The editor of queries, loaded when it is first shown. */
export const CodeEditor = lazy(() => import('./code-editor.tsx'));
