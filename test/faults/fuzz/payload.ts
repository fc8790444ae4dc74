import type { Random } from './random.ts';
import { hostileKeys, hostileValues, mutatedText } from './hostile.ts';

// A placeholder in a payload, replaced in its JSON text: no JavaScript value can represent the replacement.
const hole = (index: number): string => `\u0001hole${index}\u0001`;

type Tree = unknown;
const isBranch = (value: Tree): value is Record<string, Tree> => typeof value === 'object' && value !== null;

/** Inserts a hostile value in one place of a tree. */
function mutate(tree: Tree, random: Random, replace: (was: Tree) => Tree): Tree {
  if (!isBranch(tree) || random.chance(0.15)) return replace(tree);
  const keys = Object.keys(tree);
  if (!Array.isArray(tree) && random.chance(0.2)) {
    const copy = { ...tree };
    Object.defineProperty(copy, random.pick(hostileKeys), { value: replace(null), enumerable: true });
    return copy;
  }
  const [first, ...rest] = keys;
  if (first === undefined) return replace(tree);
  const key = random.pick([first, ...rest]);
  if (random.chance(0.15)) return Object.fromEntries(Object.entries(tree).filter(([name]) => name !== key));
  const changed = mutate(tree[key], random, replace);
  if (Array.isArray(tree)) return tree.map((value: Tree, index) => (String(index) === key ? changed : value));
  return { ...tree, [key]: changed };
}

/** A payload as JSON text: unchanged, partly hostile, or only a hostile value. */
export function payloadText(value: unknown, random: Random): string {
  const kind = random.next();
  if (kind < 0.04) return random.pick(hostileValues).text;
  if (kind < 0.55) return JSON.stringify(value) ?? 'null';
  const fillings: string[] = [];
  const replace = (was: Tree): Tree => {
    // A placeholder is never split: half of it would not be JSON.
    const isHole = typeof was === 'string' && was.includes('\u0001');
    if (typeof was === 'string' && !isHole && random.chance(0.6)) return mutatedText(was, random);
    return hole(fillings.push(random.pick(hostileValues).text) - 1);
  };
  let tree = value;
  for (let count = random.integer(1, 3); count > 0; count--) tree = mutate(tree, random, replace);
  const text = JSON.stringify(tree) ?? 'null';
  return fillings.reduce(
    (so, filling, index) => so.replace(JSON.stringify(hole(index)), () => filling),
    text,
  );
}

/** The protocol's metadata for dates and similar types; here mostly invalid. */
const metas: readonly [string, ...string[]] = [
  '[[1,"__proto__","polluted"]]',
  '[[0,"query"]]',
  '[[2,"a","b","c"]]',
  '[[3]]',
  '[[4,"constructor","prototype","polluted"]]',
  '[[5,"connection"]]',
  '[[6],[7],[99]]',
  '[[1,0],[1,1],["x"]]',
  '{}',
  '7',
  'null',
];

/** One frame for a call, like one from the real window except for its contents. */
export function frameText(id: string, path: string, payload: string, random: Random): string {
  const meta = random.chance(0.04) ? `,"meta":${random.pick(metas)}` : '';
  return `{"i":${JSON.stringify(id)},"p":{"u":${JSON.stringify(path)},"b":{"json":${payload}${meta}}}}`;
}
