import { editor } from 'monaco-editor/editor';
import { themeState, tokenColors } from '../tokens.ts';

/** The name of the editor's theme, which is redefined when the window's theme changes. */
export const editorTheme = 'wellbench';

let definedFor: string | null = null;

/** Defines the editor's theme from the window's current tokens. All editors are drawn again, so only when they change. */
export function defineEditorTheme(): void {
  const state = themeState();
  if (state === definedFor) return;
  definedFor = state;
  const { dark, forced, color } = tokenColors();
  const rule = (token: string, name: string, fontStyle?: string): editor.ITokenThemeRule => ({
    token,
    foreground: color(name).slice(1),
    ...(fontStyle ? { fontStyle } : {}),
  });
  editor.defineTheme(editorTheme, {
    // Only high contrast themes have a color for selected text.
    base: forced ? (dark ? 'hc-black' : 'hc-light') : dark ? 'vs-dark' : 'vs',
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
      'editor.selectionBackground': color('--mark'),
      ...(forced ? { 'editor.selectionForeground': color('--on-mark') } : {}),
      'editorWidget.background': color('--surface-raised'),
      'editorWidget.border': color('--line'),
      'editorError.foreground': color('--error'),
      'editorWarning.foreground': color('--warning'),
      'editorWidget.foreground': color('--text'),
      'editorWidget.resizeBorder': color('--accent'),
      'editorSuggestWidget.background': color('--surface-raised'),
      'editorSuggestWidget.border': color('--line'),
      'editorSuggestWidget.foreground': color('--text'),
      'editorSuggestWidget.selectedBackground': color('--mark'),
      'editorSuggestWidget.selectedForeground': color('--on-mark'),
      'editorSuggestWidget.selectedIconForeground': color('--on-mark'),
      'editorSuggestWidget.highlightForeground': color('--accent'),
      'editorSuggestWidget.focusHighlightForeground': color(forced ? '--on-mark' : '--accent'),
      'editorSuggestWidgetStatus.foreground': color('--text-quiet'),
      'editorHoverWidget.background': color('--surface-raised'),
      'editorHoverWidget.border': color('--line'),
      'editorHoverWidget.foreground': color('--text'),
      'editorHoverWidget.statusBarBackground': color('--surface-quiet'),
      'editorMarkerNavigation.background': color('--surface-raised'),
      'editorMarkerNavigationError.background': color('--error'),
      'editorMarkerNavigationWarning.background': color('--warning'),
      'editorLightBulb.foreground': color('--warning'),
      'editorLightBulbAutoFix.foreground': color('--accent'),
      'editorActionList.background': color('--surface-raised'),
      'editorActionList.foreground': color('--text'),
      'editorActionList.focusBackground': color('--mark'),
      'editorActionList.focusForeground': color('--on-mark'),
      'textLink.foreground': color('--accent'),
      'textLink.activeForeground': color('--accent-strong'),
      'textCodeBlock.background': color('--surface-quiet'),
      'widget.border': color('--line'),
      'widget.shadow': color('--line'),
      'list.hoverBackground': color('--hover'),
      'list.focusBackground': color('--mark'),
      'list.focusForeground': color('--on-mark'),
      'list.highlightForeground': color('--accent'),
      'list.activeSelectionBackground': color('--mark'),
      'list.activeSelectionForeground': color('--on-mark'),
      'list.inactiveSelectionBackground': color('--mark'),
      'list.inactiveSelectionForeground': color('--on-mark'),
      'menu.background': color('--surface-raised'),
      'menu.foreground': color('--text'),
      'menu.border': color('--line'),
      'menu.selectionBackground': color('--mark'),
      'menu.selectionForeground': color('--on-mark'),
      'menu.separatorBackground': color('--line'),
      'quickInput.background': color('--surface-raised'),
      'quickInput.foreground': color('--text'),
      'quickInputList.focusBackground': color('--mark'),
      'quickInputList.focusForeground': color('--on-mark'),
      'pickerGroup.foreground': color('--text-quiet'),
      'input.background': color('--surface'),
      'input.foreground': color('--text'),
      'input.border': color('--line-strong'),
      'input.placeholderForeground': color('--text-quiet'),
      'inputOption.activeBackground': color('--selected'),
      'inputOption.activeForeground': color('--text'),
      'inputOption.activeBorder': color('--accent'),
      'icon.foreground': color('--text-quiet'),
      'symbolIcon.fieldForeground': color('--code-key'),
      'symbolIcon.operatorForeground': color('--code-operator'),
      'symbolIcon.functionForeground': color('--code-operator'),
      'symbolIcon.variableForeground': color('--code-operator'),
      'symbolIcon.valueForeground': color('--code-string'),
      'symbolIcon.enumeratorMemberForeground': color('--code-string'),
      'symbolIcon.constantForeground': color('--code-number'),
      focusBorder: color('--accent'),
      // Bracket pairs are recognizable by position; colors have other meanings here.
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((n) => [`editorBracketHighlight.foreground${n}`, color('--text')]),
      ),
    },
  });
  editor.setTheme(editorTheme);
}
