import type { KeptTab, TabsChange } from '../../../shared/tabs/tabs.ts';

/** Changes of tabs for main. */
type TabChanges = Omit<TabsChange, 'connection' | 'set'>;

/**
 * Changes that main doesn't have yet.
 * @param maxCharacters in a part, unless a single tab is larger
 */
export function createOutbox(maxCharacters: number) {
  const sentTabs = new Map<string, string>();
  let order = '';
  return {
    /** Whether main has a tab. */
    hasTab: (id: string) => sentTabs.has(id),
    /** The changes in parts that fit into a call; null: none. `touched` are tabs that may have changed. */
    changesToSend(ids: Omit<TabChanges, 'changed'>, touched: readonly KeptTab[]): TabChanges[] | null {
      const parts: KeptTab[][] = [[]];
      let characters = 0;
      for (const tab of touched) {
        const text = JSON.stringify(tab);
        if (sentTabs.get(tab.id) === text) continue;
        sentTabs.set(tab.id, text);
        if (characters > 0 && characters + text.length > maxCharacters) {
          parts.push([]);
          characters = 0;
        }
        characters += text.length;
        parts.at(-1)?.push(tab);
      }
      const listed = new Set([...ids.open, ...ids.closed]);
      for (const id of sentTabs.keys()) if (!listed.has(id)) sentTabs.delete(id);
      const orderBefore = order;
      order = JSON.stringify(ids);
      const hasChanges = order !== orderBefore || parts[0]?.length !== 0;
      return hasChanges ? parts.map((changed) => ({ ...ids, changed })) : null;
    },
    /** Everything has to be sent again. */
    forget(): void {
      sentTabs.clear();
      order = '';
    },
  };
}
