import * as z from 'zod';
import { firstInWords } from '../../../../shared/lists.ts';
import {
  MissingIds,
  type PlatformEntity,
  featureOf,
  platformEntity,
  settingsOf,
} from '../../../../shared/wells/wells.ts';
import { platformFilters, type PlatformResource } from '../../../../shared/wells/platform-filters.ts';
import { command, option, withConnection } from '../command.ts';
import { decimal, textList, whole, wholeList, yesOrNo } from '../options.ts';
import { isObject, parseJson, stringifyJson } from '../../../../shared/json.ts';
import { pagesAsCsv } from '../../../core/records/as-csv.ts';
import { type Output, writeRecords } from '../output.ts';
import { tableLines, type Column } from '../table.ts';

const entityFormats = ['table', 'csv', 'ndjson', 'geojson'] as const;
type EntityFormat = (typeof entityFormats)[number];

/** Attributes that a table shows if present, in this order; the other formats have all attributes. */
const usual = [
  'asset_id',
  'name',
  'asset_type',
  'status',
  'state',
  'visibility',
  'identifier',
  'api_number',
  'area',
  'company_id',
  'last_active_at',
];

const attribute = (name: string): Column<PlatformEntity> => ({
  name,
  of: ({ attributes }) => attributes[name] ?? settingsOf(attributes)[name],
});

/** The columns of a table: the requested ones, or the default ones that are present. */
function columnsOf(
  resource: PlatformResource,
  entities: Iterable<PlatformEntity>,
  all: boolean,
): Column<PlatformEntity>[] {
  const attributeNames = new Set<string>();
  const settingNames = new Set<string>();
  for (const { attributes } of entities) {
    for (const name of Object.keys(attributes)) attributeNames.add(name);
    for (const name of Object.keys(settingsOf(attributes))) settingNames.add(name);
  }
  const shown = all
    ? [...attributeNames]
    : usual.filter((name) => attributeNames.has(name) || settingNames.has(name));
  // The platform id of a well doesn't scope records: asset_id comes first, and the id has a distinct heading.
  const id: Column<PlatformEntity> = {
    name: resource === 'wells' ? 'platform_id' : 'id',
    of: (entity) => entity.id,
  };
  const columns = shown.map(attribute);
  return resource === 'wells' ? [...columns, id] : [id, ...columns];
}

const textOf = (page: readonly PlatformEntity[]): string =>
  stringifyJson(
    page.map(({ id, type, attributes, relationships }) => ({
      id,
      type,
      attributes: isObject(attributes) ? attributes : {},
      ...(isObject(relationships) ? { relationships } : {}),
    })),
  );

/** The entities of pages, kept as JSON text: that takes a fifth of the memory of their objects. */
const entitiesOf = (texts: readonly string[]): Iterable<PlatformEntity> => ({
  *[Symbol.iterator]() {
    for (const text of texts) yield* z.array(platformEntity).parse(parseJson(text));
  },
});

/** A FeatureCollection up to its first feature. */
const collectionStart = '{"type":"FeatureCollection","features":[';
const featureText = (entity: PlatformEntity): string => stringifyJson(featureOf(entity));

/**
 * Writes platform resources: as NDJSON and GeoJSON page by page, while a table and CSV need the columns of all.
 * @param all whether a table shows all attributes
 * @returns their number
 * @throws AppError of the pages; disk_full; file_unwritable
 */
async function writeEntities(
  out: Output,
  pages: AsyncIterable<readonly PlatformEntity[]>,
  { resource, format, all }: { resource: PlatformResource; format: EntityFormat; all: boolean },
): Promise<number> {
  const texts: string[] = [];
  let count = 0;
  for await (const page of pages) {
    if (format === 'ndjson') await writeRecords(out, textOf(page), format);
    else if (format !== 'geojson') texts.push(textOf(page));
    else if (page.length > 0)
      await out.write((count === 0 ? collectionStart : ',') + page.map(featureText).join(','));
    count += page.length;
  }
  if (format === 'geojson') await out.write(`${count === 0 ? collectionStart : ''}]}\n`);
  if (format === 'csv') for (const text of pagesAsCsv(texts)) await out.write(text);
  if (format === 'table') {
    const entities = entitiesOf(texts);
    await out.lines(tableLines(columnsOf(resource, entities, all), entities));
  }
  return count;
}

/** The text of a value on the command line, its type, and how help names it. */
function textType(type: z.core.$ZodType): readonly [z.ZodType, string] {
  if (type instanceof z.ZodNumber) return [type instanceof z.ZodNumberFormat ? whole : decimal, '<n>'];
  return type instanceof z.ZodBoolean ? [yesOrNo, '[yes|no]'] : [z.string(), '<text>'];
}

function filterOption(type: z.core.$ZodType): z.ZodType {
  const filter = type instanceof z.ZodOptional ? type.unwrap() : type;
  const isList = filter instanceof z.ZodArray;
  const item = isList ? filter.element : filter;
  const [text, value] = textType(item);
  const words = [
    ...(item instanceof z.ZodEnum ? [`one of ${item.options.join(', ')}`] : []),
    ...(isList ? ['comma-separated or repeated'] : []),
  ];
  const values = isList ? (text === whole ? wholeList(z.number()) : textList) : text;
  return option(values.optional(), value, words.join('; '));
}

/** Options for every filter of a resource (specification, sections 2.4 and 4.2): `asset_id` is `--asset-id`. */
const filterOptions = (resource: PlatformResource): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(platformFilters[resource].shape).map(([name, type]) => [name, filterOption(type)]),
  );

/** The same pages, whose ids aren't missing. */
async function* seen(missing: MissingIds, pages: AsyncIterable<readonly PlatformEntity[]>) {
  for await (const page of pages) {
    missing.remove(page);
    yield page;
  }
}

/** `wells`, `assets`, `programs`, `pads`, `rigs`, `drillout-units`, `frac-fleets`. */
export const platform = (resource: PlatformResource) =>
  command({
    arguments: {},
    options: {
      ...filterOptions(resource),
      format: option(z.enum(entityFormats).default('table'), '<format>', 'output format'),
    },
    async run({ format, ...filters }, cli) {
      const filter: Readonly<Record<string, unknown>> = filters;
      const all = filter['fields'] !== undefined;
      const missing = new MissingIds(filter);
      const count = await withConnection(cli, async ({ services, options }) => {
        const pages = services().platform.pages(resource, filter, options);
        return writeEntities(cli.out, seen(missing, pages), { resource, format, all });
      });
      const notFound = missing.texts;
      if (notFound.length === 0) return { summary: { count } };
      cli.messages.say(`Warning: Not found: ${firstInWords(notFound, 20)}`);
      return { summary: { count, notFound } };
    },
  });
