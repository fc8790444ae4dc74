import type { KeptTab, TabsChange } from '../../shared/tabs/tabs.ts';

/** What main is to be told, without whom it concerns. */
type Told = Omit<TabsChange, 'connection' | 'set'>;

/** What main does not know yet. @param mostLetters in one part, unless one tab alone is larger */
export function createOutbox(mostLetters: number) {
  const told = new Map<string, string>();
  let order = '';
  return {
    /** Whether main was told of a tab. */
    knows: (id: string) => told.has(id),
    /** In parts that fit into a call; null: main knows all. `touched` are the tabs that may have changed. */
    take(ids: Omit<Told, 'changed'>, touched: readonly KeptTab[]): Told[] | null {
      const parts: KeptTab[][] = [[]];
      let letters = 0;
      for (const tab of touched) {
        const text = JSON.stringify(tab);
        if (told.get(tab.id) === text) continue;
        told.set(tab.id, text);
        if (letters > 0 && letters + text.length > mostLetters) {
          parts.push([]);
          letters = 0;
        }
        letters += text.length;
        parts.at(-1)?.push(tab);
      }
      const there = new Set([...ids.open, ...ids.closed]);
      for (const id of told.keys()) if (!there.has(id)) told.delete(id);
      const now = JSON.stringify(ids);
      const nothing = now === order && parts[0]?.length === 0;
      order = now;
      return nothing ? null : parts.map((changed) => ({ ...ids, changed }));
    },
    /** All has to be told again. */
    forget(): void {
      told.clear();
      order = '';
    },
  };
}
