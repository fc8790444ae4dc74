import { useEffect } from 'react';
import { useWorkspace } from './context.ts';

/** Puts the theme on the document; `system` is left to the style sheet. */
export function useThemeAttribute(): void {
  const theme = useWorkspace((state) => state.theme);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  }, [theme]);
}
