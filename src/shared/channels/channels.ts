import {
  completion,
  directional,
  drilling,
  type ChannelRow,
  type Limits,
  mud,
  wireline,
} from './channel-rows.ts';
import { wordSearch } from '../word-search.ts';
import { headerParts } from './header.ts';
import { quantitiesOf, type Quantity, type Unit, convert, unitOf } from './units.ts';
import type { FieldLimits } from '../quality/field-track.ts';

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

/** Whether a name is that of a depth below the surface or the sea, not along the hole. */
export const isVerticalDepth = (name: string): boolean => /tvd|vertical|sub[ _-]?sea/i.test(name);

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

const statistics: ReadonlyMap<string, Statistic> = new Map([
  ...['avg', 'ave', 'average', 'mean', 'av'].map((word) => [word, null] as const),
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
  readonly synonyms: Synonyms;
  /** The unit, if it isn't in the text. */
  readonly unit?: string | null | undefined;
}

/**
 * The channels that a text can mean, the likeliest first. A unit decides between channels of one name, and a unit of
 * another quantity makes all of them unsure.
 */
export function channelsOf(text: string, { synonyms, unit }: NameOptions): readonly ChannelMatch[] {
  const parts = headerParts(text.replace(/^data[._]/, ''));
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
 * A search for texts of queries, by words, or by a name of a channel: “WOB” finds `data.weight_on_bit`.
 * @param typed the words; blank: every text matches
 * @returns whether a text has them all, or the name of the channel
 */
export function querySearch(typed: string): (text: string) => boolean {
  const matches = wordSearch(typed);
  const meanings = channelsOf(typed, { synonyms: noSynonyms });
  return (text) => matches(text) || meanings.some(({ channel }) => text.includes(channel.name));
}

/**
 * The channel that a column or field is of, by its mnemonic or name in any spelling; the first of {@link channelsOf}.
 * @param text a header, such as `WOB (k-lbs)`, a mnemonic, an item code of WITS, or a field such as `data.weight_on_bit`
 */
export const channelOf = (text: string, options: NameOptions): ChannelMatch | undefined =>
  channelsOf(text, options)[0];

/**
 * The unit of a field's values. Degrees of a difference of temperatures have no zero: 1.8 °F of it are 1 °C.
 * @param unit by its text alone
 */
export function unitInField(unit: Unit, field: string): Unit {
  if (unit.quantity !== 'temperature') return unit;
  const quantity = channelOf(field, { synonyms: noSynonyms })?.channel.quantity;
  return (quantity === 'temperature_difference' && unitOf(unit.symbol, quantity)) || unit;
}

/** Names that people have added, by the standard names of channels. */
export type NamesByChannel = Readonly<Record<string, readonly string[]>>;

/** As columns are compared: the unit behind a name doesn't count. */
const keyOf = (name: string): string => normalizedName(headerParts(name).name);

const pairsOf = (names: NamesByChannel) =>
  Object.entries(names).flatMap(([channel, some]) => some.map((name, at) => ({ channel, name, at })));

/** The names that people have added, in the form that {@link channelOf} takes. */
export const synonymsOf = (names: NamesByChannel = {}): Synonyms =>
  new Map(pairsOf(names).map(({ channel, name }) => [keyOf(name), channel]));

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

/**
 * The physical limits of a field by the channel dictionary, in the field's unit.
 * @param unit of the field; null: as the name says, otherwise unknown
 * @param synonyms names of channels that the user has added
 * @returns null if the channel is unknown or unsure, or if the units don't fit
 */
export function channelLimits(name: string, unit: string | null, synonyms: Synonyms): FieldLimits | null {
  const match = channelOf(name, { unit, synonyms });
  const limits = match?.isSure === true ? match.channel.limits : null;
  if (!match || !limits) return null;
  if (limits.unit === '') return { min: limits.min, max: limits.max };
  const written = unit ?? headerParts(name).unit;
  const ownUnit = written === null ? undefined : unitOf(written, match.channel.quantity);
  const from = unitOf(limits.unit, match.channel.quantity);
  const min = ownUnit && from ? convert(limits.min, from, ownUnit) : undefined;
  const max = ownUnit && from ? convert(limits.max, from, ownUnit) : undefined;
  return min === undefined || max === undefined ? null : { min, max };
}
