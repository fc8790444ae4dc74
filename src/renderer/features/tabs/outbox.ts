import type { KeptTab, TabsChange } from '../../../shared/tabs/tabs.ts';

/** Changes of tabs for main. */
type TabChanges = Omit<TabsChange, 'connection' | 'set'>;

/**
 * Changes that main doesn't have yet.
 * @param maxLetters the maximum characters in a part, unless a single tab is larger
 */
export function createOutbox(maxLetters: number) {
  const sentTabs = new Map<string, string>();
  let order = '';
  return {
    /** Whether main has a tab. */
    hasTab: (id: string) => sentTabs.has(id),
    /** The changes in parts that fit into a call; null: none. `touched` are tabs that may have changed. */
    changesToSend(ids: Omit<TabChanges, 'changed'>, touched: readonly KeptTab[]): TabChanges[] | null {
      const parts: KeptTab[][] = [[]];
      let letters = 0;
      for (const tab of touched) {
        const text = JSON.stringify(tab);
        if (sentTabs.get(tab.id) === text) continue;
        sentTabs.set(tab.id, text);
        if (letters > 0 && letters + text.length > maxLetters) {
          parts.push([]);
          letters = 0;
        }
        letters += text.length;
        parts.at(-1)?.push(tab);
      }
      const listed = new Set([...ids.open, ...ids.closed]);
      for (const id of sentTabs.keys()) if (!listed.has(id)) sentTabs.delete(id);
      const now = JSON.stringify(ids);
      const nothing = now === order && parts[0]?.length === 0;
      order = now;
      return nothing ? null : parts.map((changed) => ({ ...ids, changed }));
    },
    /** Everything has to be sent again. */
    forget(): void {
      sentTabs.clear();
      order = '';
    },
  };
}
