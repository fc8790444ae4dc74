import type { Groups } from '../records/groups.ts';

export type GroupOrder = ReturnType<typeof createGroupOrder>;

/**
 * The order of the groups of one plot: groups keep their position, and so their color, when more records are loaded.
 * @returns the order, which is empty until the first groups
 */
export function createGroupOrder() {
  let places = new Map<string, number>();
  let groupedBy = '';
  return {
    /** The same groups in this order, new ones last. @param fields of the groups; other fields reset the order */
    arranged({ codes, names }: Groups, fields: readonly string[]): Groups {
      if (fields.join('\n') !== groupedBy) places = new Map();
      groupedBy = fields.join('\n');
      const keys = names.map((name) => name.join('\n'));
      for (const key of keys) if (!places.has(key)) places.set(key, places.size);
      const order = keys
        .map((key, code) => ({ code, place: places.get(key) ?? 0 }))
        .toSorted((a, b) => a.place - b.place);
      if (order.every(({ code }, at) => code === at)) return { codes, names };
      // Codes without names, of groups that are not distinguished, stay as they are.
      const next = new Map(order.map(({ code }, at) => [code, at]));
      return {
        codes: codes.map((code) => next.get(code) ?? code),
        names: order.map(({ code }) => names[code] ?? []),
      };
    },
  };
}
