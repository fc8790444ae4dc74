import * as z from 'zod';
import type { Connection } from '../../../shared/connections/connections.ts';

const recentIds = z.array(z.string());
const maxRecent = 50;

/** The order in which connections were opened. Unreadable orders are ignored. */
export function createRecentConnections(memory: Pick<Storage, 'getItem' | 'setItem'>) {
  const place = 'wellbench.connections';
  const read = (): string[] => {
    try {
      return recentIds.parse(JSON.parse(memory.getItem(place) ?? '[]'));
    } catch {
      return [];
    }
  };
  return {
    use(id: string) {
      const otherIds = read().filter((otherId) => otherId !== id);
      memory.setItem(place, JSON.stringify([id, ...otherIds].slice(0, maxRecent)));
    },
    /** The last opened ones first, then the others in their order. */
    sort(connections: readonly Connection[]): Connection[] {
      const rank = new Map(read().map((id, at) => [id, at]));
      const rankOf = ({ id }: Connection) => rank.get(id) ?? maxRecent;
      return connections.toSorted((a, b) => rankOf(a) - rankOf(b));
    },
  };
}

export type RecentConnections = ReturnType<typeof createRecentConnections>;
