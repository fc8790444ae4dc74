import { channelNamed, normalizedName, type Synonyms } from './channels.ts';
import { headerParts } from './header.ts';

/** Names that people have added, by the standard names of channels. */
export type NamesByChannel = Readonly<Record<string, readonly string[]>>;

/** As columns are compared: the unit behind a name doesn't count. */
const keyOf = (name: string): string => normalizedName(headerParts(name).name);

const pairsOf = (names: NamesByChannel) =>
  Object.entries(names).flatMap(([channel, some]) => some.map((name, at) => ({ channel, name, at })));

/** The names that people have added, in the form that {@link channelOf} takes. */
export const synonymsOf = (names: NamesByChannel = {}): Synonyms =>
  new Map(pairsOf(names).map(({ channel, name }) => [keyOf(name), channel]));

/** A name that can't be used, and why. */
interface NameProblem {
  readonly channel: string;
  readonly name: string;
  /** Its place among the names of the channel. */
  readonly at: number;
  /** The channel that has the same name; null: it has neither letters nor digits. */
  readonly takenBy: string | null;
}

/** The names that mean several channels, or nothing. */
export function nameProblems(names: NamesByChannel): NameProblem[] {
  const owners = new Map<string, string>();
  return pairsOf(names).flatMap((pair): NameProblem[] => {
    const key = keyOf(pair.name);
    if (key === '') return [{ ...pair, takenBy: null }];
    const owner = owners.get(key) ?? pair.channel;
    owners.set(key, owner);
    return owner === pair.channel ? [] : [{ ...pair, takenBy: owner }];
  });
}

/** All names of both, each once. */
export function joinedNames(first: NamesByChannel, second: NamesByChannel): Record<string, string[]> {
  const joined = new Map<string, string[]>();
  for (const { channel, name } of [...pairsOf(first), ...pairsOf(second)]) {
    const before = joined.get(channel) ?? [];
    if (!before.some((synonym) => keyOf(synonym) === keyOf(name))) joined.set(channel, [...before, name]);
  }
  return Object.fromEntries(joined);
}

/** The standard names of channels without an entry in the dictionary. */
export const unknownChannels = (names: NamesByChannel): string[] =>
  Object.keys(names).filter((name) => channelNamed(name) === undefined);
