import * as z from 'zod';
import type { Browse } from '../../features/wells/browse.ts';
import { entityKinds } from '../../features/wells/entity-filters.ts';
import type { TabContent } from '../tabs.ts';
import type { TabKind } from './kind.ts';

const keptBrowse = z.object({ listed: z.enum(['wells', ...entityKinds]) });

/** Of the tab that lists wells and what they belong to, what it lists is kept; its lists are kept elsewhere. */
export function browseKind(make: () => Browse): TabKind<TabContent & { kind: 'browse' }> {
  return {
    keep: ({ store }): z.infer<typeof keptBrowse> => ({ listed: store.getState().listed }),
    watch: ({ store }, changed) =>
      store.subscribe((now, before) => now.listed !== before.listed && changed()),
    async restore(state, { title }) {
      const { listed } = keptBrowse.parse(state);
      const model = make();
      model.actions.list(listed);
      return { kind: 'browse', title, model };
    },
  };
}
