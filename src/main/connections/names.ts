import { connectionColor, type Connection } from '../../shared/connections/connections.ts';

type Named = Pick<Connection, 'name' | 'color'>;

/** The name, with a number behind it when another connection has it already: "North Ridge (2)". */
export function freeName(name: string, others: readonly Named[]): string {
  const taken = new Set(others.map((other) => other.name.toLowerCase()));
  let free = name;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${name} (${n})`;
  return free;
}

/** The colour, or the first that no other connection has, while there is one. */
export function freeColor(color: Connection['color'], others: readonly Named[]): Connection['color'] {
  const taken = new Set(others.map((other) => other.color));
  if (!taken.has(color)) return color;
  return connectionColor.options.find((one) => !taken.has(one)) ?? color;
}
