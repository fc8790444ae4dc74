import { valueUnder } from '../json.ts';
import { pathNames } from '../column-paths.ts';
import { channelNamed, channelsOf, noSynonyms } from './channels.ts';
import type { NameForm } from '../settings/settings.ts';

const lettersRead =
  'API BHA CBL CO2 DLS ECD ESD EPT GOR H2S ID KB LAS LCM LWD MD MSE MWD N2 NMR O2 pH PVT PWD ROP RPM SP SPM TFA TVD TVDSS UTC UV UWI VDL WOB';

/** Words of names that a person writes in another way. */
const spellings: ReadonlyMap<string, string> = new Map([
  ...lettersRead.split(' ').map((word) => [word.toLowerCase(), word] as const),
  ['avg', 'average'],
  ['cum', 'cumulative'],
  ['diff', 'differential'],
  ['pct', 'percent'],
  ['poisson', 'Poisson'],
  ['press', 'pressure'],
  ['temp', 'temperature'],
  ['vol', 'volume'],
  ['youngs', 'Young’s'],
]);

/** The fields of records that aren't in their data (specification, section 2.1). */
const envelope: ReadonlyMap<string, string> = new Map([
  ['_id', 'Record ID'],
  ['asset_id', 'Asset ID'],
  ['collection', 'Collection'],
  ['company_id', 'Company ID'],
  ['data', 'Data'],
  ['datetime', 'Date and time'],
  ['log_identifier', 'Log'],
  ['measured_depth', 'Measured depth'],
  ['metadata', 'Metadata'],
  ['metadata.asset_id', 'Asset ID'],
  ['metadata.company_id', 'Company ID'],
  ['provider', 'Provider'],
  ['stage_number', 'Stage number'],
  ['timestamp', 'Time'],
  ['version', 'Version'],
]);

/** A word with a capital is spelled as people write it. */
const capitalized = (word: string): string =>
  word === word.toLowerCase() ? word.charAt(0).toUpperCase() + word.slice(1) : word;

/** The name of a channel as an engineer says it: `weight_on_bit` is “Weight on bit”. */
export function channelName(standardName: string): string {
  const [first = '', ...rest] = standardName
    .split(/[_\s]+/u)
    .filter((word) => word !== '')
    .map((word) => spellings.get(word) ?? word);
  return [capitalized(first), ...rest].join(' ');
}

/** Names that aren't words, such as mnemonics, and those with capitals stay as they are. */
const spelledOut = (name: string): string =>
  name === name.toLowerCase() && (name.length > 3 || spellings.has(name)) ? channelName(name) : name;

const meanings = new Map<string, string>();

/** The channel with a name, or the only one whose mnemonic it is, with the mnemonic. Lists search by it with each key. */
function meaningOf(name: string): string {
  const meaning = meanings.get(name) ?? readMeaning(name);
  meanings.set(name, meaning);
  return meaning;
}

function readMeaning(name: string): string {
  if (channelNamed(name)) return channelName(name);
  const [match, other] = /[_\s]/.test(name) ? [] : channelsOf(name, { synonyms: noSynonyms });
  return match?.isSure && other === undefined && match.statistic === null
    ? `${channelName(match.channel.name)} (${name})`
    : spelledOut(name);
}

/** The name of a field within its group, such as “Asset ID” of `metadata.asset_id`. */
function plainLeaf(path: string): string {
  const usual = envelope.get(path);
  if (usual !== undefined) return usual;
  const names = pathNames(path);
  const leaf = names.at(-1) ?? '';
  // A calculated column has the name that somebody gave it.
  return names.length === 1 ? leaf : meaningOf(leaf);
}

/**
 * The name of a field as an engineer says it.
 * @param path its dotted path, such as `data.weight_on_bit`
 * @returns “Weight on bit”; of a mnemonic, with the mnemonic: “Weight on bit (WOBA)”; a name without words as it is
 */
export function plainName(path: string): string {
  const names = pathNames(path);
  const parents = envelope.has(path) ? [] : names.slice(names[0] === 'data' ? 1 : 0, -1);
  return [...parents.map(channelName), plainLeaf(path)].join(': ');
}

interface FieldName {
  readonly text: string;
  /** Without its parents, below a header for them. */
  readonly leaf: string;
  /** Its name in the dataset, which is shown beside it; null: not shown, or the same. */
  readonly field: string | null;
  /** On one line. */
  readonly line: string;
}

/** Names of fields by their dotted paths. */
export type FieldNames = (path: string) => FieldName;

/**
 * The names of a dataset's fields.
 * @param form as the setting has it
 * @param renamed by dotted path, the names that the user gave to fields
 */
export function fieldNamesOf(
  form: NameForm,
  renamed: Readonly<Record<string, string>> | undefined,
): FieldNames {
  return (path) => {
    const field = path.replace(/^data\./, '');
    if (form === 'fields')
      return { text: field, leaf: pathNames(path).at(-1) ?? '', field: null, line: field };
    const renamedTo = renamed && valueUnder(renamed, path);
    const text = renamedTo ?? plainName(path);
    const isBoth = form === 'both' && text !== field;
    return {
      text,
      leaf: renamedTo ?? plainLeaf(path),
      field: isBoth ? field : null,
      line: isBoth ? `${text} (${field})` : text,
    };
  };
}

/** The names that a statement gave to its columns. */
export const statementNames: FieldNames = fieldNamesOf('fields', undefined);
