// The page of the benchmark of typing: a bare Monaco with the window's query language.
import { editor } from 'monaco-editor/editor';
import 'monaco-editor/features/register.all';
import { queryLanguage } from '../../../src/renderer/ui/editor/code-editor.tsx';

const place = document.querySelector<HTMLElement>('#place') ?? document.body;
const isForReaders = new URLSearchParams(location.search).get('reader') !== 'off';
const opened = editor.create(place, {
  model: editor.createModel('', queryLanguage),
  automaticLayout: true,
  accessibilitySupport: isForReaders ? 'on' : 'off',
  minimap: { enabled: false },
  wordBasedSuggestions: 'off',
});
/** Shows a text, and takes the keys. */
function show(text: string): void {
  opened.setValue(text);
  opened.focus();
}

export type Show = typeof show;
Object.assign(window, { show, ready: true });
