import * as z from 'zod';
import { jsonOrNull } from '../../../../shared/json.ts';
import { ownProtocol, type MetaData, type Protocol } from './actions.ts';

/** The versions of the protocol in which a table lists its features. */
const listed = { reader: 3, writer: 7 } as const;

const fields = z.object({
  fields: z.array(z.object({ name: z.string(), metadata: z.record(z.string(), z.unknown()).nullish() })),
});

/**
 * Features that versions before the lists allow: one of them concerns a writer only where the table uses it. By the name in a
 * list; null: Wellbench respects it.
 */
const earlier: Readonly<Record<string, { settings: RegExp; column: string | null } | null>> = {
  appendOnly: null,
  invariants: { settings: /^$/, column: 'delta.invariants' },
  checkConstraints: { settings: /^delta\.constraints\./, column: null },
  changeDataFeed: { settings: /^delta\.enableChangeDataFeed$/, column: null },
  generatedColumns: { settings: /^$/, column: 'delta.generationExpression' },
  columnMapping: { settings: /^delta\.columnMapping\.mode$/, column: null },
  identityColumns: { settings: /^$/, column: 'delta.identity.start' },
};

const isOff = (value: string | null): boolean => value === null || /^(?:false|none|)$/i.test(value);

/** The settings and the columns by which a table uses an earlier feature. */
function usesOf(name: string, { configuration = {}, schemaString }: MetaData): string[] {
  const feature = earlier[name];
  if (!feature) return [];
  const { settings, column } = feature;
  const columns = column === null ? [] : (fields.safeParse(jsonOrNull(schemaString)).data?.fields ?? []);
  return [
    ...Object.entries(configuration)
      .filter(([setting, value]) => settings.test(setting) && !isOff(value))
      .map(([setting]) => setting),
    ...columns
      .filter(({ metadata }) => column !== null && metadata?.[column] !== undefined)
      .map((field) => `${column} of the column ${field.name}`),
  ];
}

const isEarlier = (name: string): boolean => Object.hasOwn(earlier, name);

function featuresInUse(names: readonly string[], metaData: MetaData): string[] {
  return names.flatMap((name) => (isEarlier(name) ? usesOf(name, metaData) : [name]));
}

/** What stops Wellbench from reading the files of a table: the version for readers decides. */
export function unreadFeatures({ minReaderVersion: version, readerFeatures }: Protocol, metaData: MetaData) {
  if (version <= ownProtocol.minReaderVersion) return [];
  if (version > listed.reader) return [`reader version ${version}`];
  return featuresInUse(version === listed.reader ? (readerFeatures ?? []) : ['columnMapping'], metaData);
}

/** What stops Wellbench from changing a table that it can read: it would break what another program relies on. */
export function unwrittenFeatures(
  { minWriterVersion: version, writerFeatures }: Protocol,
  metaData: MetaData,
) {
  if (version > listed.writer) return [`writer version ${version}`];
  return featuresInUse(version === listed.writer ? (writerFeatures ?? []) : Object.keys(earlier), metaData);
}
