import { completion } from './groups/completion.ts';
import { directional } from './groups/directional.ts';
import { drilling } from './groups/drilling.ts';
import type { ChannelRow, Limits } from './groups/group.ts';
import { mud } from './groups/mud.ts';
import { wireline } from './groups/wireline.ts';
import { headerParts } from './header.ts';
import { quantitiesOf, type Quantity } from './units.ts';

/** A measurement at a well, by its standard name. */
export interface Channel {
  /** As datasets name it: `weight_on_bit`. */
  readonly name: string;
  /** What its units measure; null: it has none. */
  readonly quantity: Quantity | null;
  /** Mnemonics and spellings, as in the tables. */
  readonly names: readonly string[];
  /** The lowest and highest value that is physically possible; null: unknown. The unit is empty for a plain number. */
  readonly limits: { readonly min: number; readonly max: number; readonly unit: string } | null;
}

/** A statistic of the values of an interval; null: the value itself, or its mean. */
type Statistic = 'min' | 'max' | null;

export interface ChannelMatch {
  readonly channel: Channel;
  readonly statistic: Statistic;
  /** Whether the text probably means nothing else. */
  readonly isSure: boolean;
}

const limitsOf = (limits: Limits | undefined): Channel['limits'] =>
  limits ? { min: limits[0], max: limits[1], unit: limits[2] } : null;

const rows: readonly ChannelRow[] = [...drilling, ...mud, ...directional, ...completion, ...wireline];

/** A name without case, spaces, and punctuation. */
export const normalizedName = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

const nameWithoutPrefix = (name: string): string => name.replace(/^(?:\?|max:|min:)/, '');

export const channels: readonly Channel[] = rows.map(([name, quantity, names, limits]) => ({
  name,
  quantity,
  names: names.split(',').map((name) => nameWithoutPrefix(name.trim())),
  limits: limitsOf(limits),
}));

const byStandardName: ReadonlyMap<string, Channel> = new Map(
  channels.map((channel) => [channel.name, channel]),
);

/** The channel with a standard name. */
export const channelNamed = (name: string): Channel | undefined => byStandardName.get(name);

const byName: ReadonlyMap<string, readonly ChannelMatch[]> = (() => {
  const matchesByName = new Map<string, ChannelMatch[]>();
  rows.forEach(([name, , names], at) => {
    const channel = channels[at];
    if (!channel) return;
    for (const text of [name, ...names.split(',')]) {
      const trimmed = text.trim();
      const statistic = trimmed.startsWith('max:') ? 'max' : trimmed.startsWith('min:') ? 'min' : null;
      const key = normalizedName(nameWithoutPrefix(trimmed));
      const before = matchesByName.get(key) ?? [];
      if (before.every((match) => match.channel !== channel))
        matchesByName.set(key, [...before, { channel, statistic, isSure: !trimmed.startsWith('?') }]);
    }
  });
  return matchesByName;
})();

const averages: ReadonlySet<string> = new Set(['avg', 'ave', 'average', 'mean', 'av']);
const statistics: ReadonlyMap<string, Statistic> = new Map([
  ...[...averages].map((word) => [word, null] as const),
  ...['max', 'maximum', 'highest'].map((word) => [word, 'max'] as const),
  ...['min', 'minimum', 'lowest'].map((word) => [word, 'min'] as const),
]);

const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');

/** A name without the word for a statistic at its start or end; null: it has none. */
function withoutStatistic(text: string): { readonly rest: string; readonly statistic: Statistic } | null {
  const words = wordsOf(text);
  for (const [word, rest] of [
    [words.at(-1), words.slice(0, -1)],
    [words[0], words.slice(1)],
  ] as const) {
    const statistic = word === undefined ? undefined : statistics.get(word.toLowerCase());
    if (statistic !== undefined && rest.length > 0) return { rest: rest.join(' '), statistic };
  }
  return null;
}

/** Names that people have added, by {@link normalizedName}, with the standard names that they mean. */
export type Synonyms = ReadonlyMap<string, string>;

/** Where only the names of the dictionary count. */
export const noSynonyms: Synonyms = new Map();

/** Names that people have added come first: they may give a mnemonic of the dictionary another meaning. */
function meaningsOfName(key: string, synonyms: Synonyms): readonly ChannelMatch[] {
  const userChannel = channelNamed(synonyms.get(key) ?? '');
  return userChannel ? [{ channel: userChannel, statistic: null, isSure: true }] : (byName.get(key) ?? []);
}

/** Everything that a text can mean, the sure ones first. */
function meanings(text: string, synonyms: Synonyms): readonly ChannelMatch[] {
  const direct = meaningsOfName(normalizedName(text), synonyms);
  if (direct.length > 0) return direct;
  const parts = withoutStatistic(text);
  if (!parts) return [];
  return meaningsOfName(normalizedName(parts.rest), synonyms).map((match) => ({
    ...match,
    statistic: parts.statistic ?? match.statistic,
  }));
}

interface NameOptions {
  /** Names that the user has added. */
  readonly synonyms: Synonyms;
  /** The unit, if it isn't in the text. */
  readonly unit?: string | null | undefined;
}

/**
 * The channels that a text can mean, the likeliest first. A unit decides between channels of one name, and a unit of
 * another quantity makes all of them unsure.
 */
export function channelsOf(text: string, { synonyms, unit }: NameOptions): readonly ChannelMatch[] {
  const parts = headerParts(text.replace(/^data\./, ''));
  const all = meanings(parts.name, synonyms);
  const quantities = quantitiesOf(unit ?? parts.unit ?? '');
  const fits = ({ channel }: ChannelMatch) =>
    channel.quantity !== null && quantities.includes(channel.quantity);
  const fitting = quantities.length === 0 ? all : all.filter(fits);
  const candidates = fitting.length > 0 ? fitting : all;
  const sure = candidates.filter(({ isSure }) => isSure);
  const isOpen = sure.length !== 1 || (quantities.length > 0 && fitting.length === 0);
  const [first] = sure;
  return [...sure, ...candidates.filter(({ isSure }) => !isSure)].map((match) => ({
    ...match,
    isSure: !isOpen && match === first,
  }));
}

/**
 * The channel that a column or field is of, by its mnemonic or name in any spelling; the first of {@link channelsOf}.
 * @param text a header, such as `WOB (k-lbs)`, a mnemonic, an item code of WITS, or a field such as `data.weight_on_bit`
 */
export const channelOf = (text: string, options: NameOptions): ChannelMatch | undefined =>
  channelsOf(text, options)[0];
