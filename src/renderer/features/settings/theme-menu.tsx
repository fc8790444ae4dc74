import { Monitor, Moon, Sun, type LucideIcon } from 'lucide-react';
import { type Theme, theme as themeSchema } from '../../../shared/settings/settings.ts';
import { MenuButton } from '../../ui/menu-button.tsx';
import { useApp, useAppState } from '../../contexts.ts';
import { words } from '../../words/words.ts';

const icons: Record<Theme, LucideIcon> = { system: Monitor, light: Sun, dark: Moon };
const items = themeSchema.options.map((id) => ({ id, text: words.theme[id], icon: icons[id] }));

/** Selects the theme. */
export function ThemeMenu() {
  const theme = useAppState('settings', (state) => state.values.theme);
  const { set } = useApp().settings.actions;
  return (
    <MenuButton
      label={words.theme.label}
      icon={icons[theme]}
      items={items}
      current={theme}
      onSelect={(id) => set({ theme: themeSchema.parse(id) })}
    />
  );
}
