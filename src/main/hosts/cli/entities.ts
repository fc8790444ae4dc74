import * as z from 'zod';
import { isObject, parseJson, stringifyJson } from '../../../shared/json.ts';
import { featureOf, platformEntity, type PlatformEntity } from '../../../shared/wells/wells.ts';
import type { PlatformResource } from '../../../shared/wells/platform-filters.ts';
import { pagesAsCsv } from '../../core/records/as-csv.ts';
import type { Output } from './output.ts';
import { writeRecords } from './records.ts';
import { tableLines, type Column } from './table.ts';

export const entityFormats = ['table', 'csv', 'ndjson', 'geojson'] as const;
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

/** Nested attributes, such as the API number of a well. */
const settingsOf = ({ settings }: PlatformEntity['attributes']) => (isObject(settings) ? settings : {});

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
export async function writeEntities(
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
