import { editor } from 'monaco-editor/editor';
import { tokenColors } from '../tokens.ts';

/** The name under which the editor's theme is defined; it is defined anew when the window's theme changes. */
export const editorTheme = 'wellbench';

/** Defines the editor's theme from the window's tokens, as they are now. */
export function defineEditorTheme(): void {
  const { dark, color } = tokenColors();
  const rule = (token: string, name: string, fontStyle?: string): editor.ITokenThemeRule => ({
    token,
    foreground: color(name).slice(1),
    ...(fontStyle ? { fontStyle } : {}),
  });
  editor.defineTheme(editorTheme, {
    base: dark ? 'vs-dark' : 'vs',
    inherit: true,
    rules: [
      rule('', '--text'),
      rule('key', '--code-key'),
      rule('operator', '--code-operator'),
      rule('call', '--code-operator'),
      rule('parameter', '--code-operator', 'bold'),
      rule('string', '--code-string'),
      rule('string.invalid', '--error'),
      rule('regexp', '--code-string'),
      rule('number', '--code-number'),
      rule('constant', '--code-number'),
      rule('comment', '--text-quiet', 'italic'),
      rule('delimiter', '--text-quiet'),
      rule('delimiter.curly', '--text'),
      rule('delimiter.square', '--text'),
      rule('delimiter.parenthesis', '--text'),
    ],
    colors: {
      'editor.background': color('--surface'),
      'editor.foreground': color('--text'),
      'editorLineNumber.foreground': color('--text-quiet'),
      'editorLineNumber.activeForeground': color('--text'),
      'editor.lineHighlightBorder': color('--line-faint'),
      'editorCursor.foreground': color('--accent'),
      'editor.selectionBackground': color('--selected'),
      'editorWidget.background': color('--surface-raised'),
      'editorWidget.border': color('--line'),
      'editorError.foreground': color('--error'),
      'editorWarning.foreground': color('--warning'),
      focusBorder: color('--accent'),
      // Pairs of brackets are told apart by their places, not by colours that mean nothing else here.
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((n) => [`editorBracketHighlight.foreground${n}`, color('--text')]),
      ),
    },
  });
  editor.setTheme(editorTheme);
}
