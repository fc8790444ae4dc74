import { Option } from 'commander';
import type { Command } from 'commander';
import * as z from 'zod';
import { isObject } from '../../../shared/json.ts';
import { featureCollection } from '../../../shared/wells/geojson.ts';
import { platformResource } from '../../../shared/wells/platform-filters.ts';
import type { PlatformEntity } from '../../../shared/wells/wells.ts';
import type { PlatformResource } from '../../../shared/wells/platform-filters.ts';
import type { Cli } from '../context.ts';
import { filterOptions } from '../filters.ts';
import { parseOptions } from '../options.ts';
import { writeRecords } from '../records.ts';
import { withConnection } from '../session.ts';
import { tableLines } from '../table.ts';
import type { Column } from '../table.ts';

const formats = ['table', 'csv', 'ndjson', 'geojson'] as const;
const formatOption = z.object({ format: z.enum(formats) });

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
function columnsOf(resource: PlatformResource, entities: readonly PlatformEntity[], all: boolean) {
  const came = new Set(entities.flatMap(({ attributes }) => Object.keys(attributes)));
  const below = new Set(entities.flatMap(({ attributes }) => Object.keys(settingsOf(attributes))));
  const shown = all ? [...came] : usual.filter((name) => came.has(name) || below.has(name));
  // The platform id of a well doesn't scope records: asset_id comes first, and the id has a distinct heading.
  const id: Column<PlatformEntity> = {
    name: resource === 'wells' ? 'platform_id' : 'id',
    of: (entity) => entity.id,
  };
  const columns = shown.map(attribute);
  return resource === 'wells' ? [...columns, id] : [id, ...columns];
}

/** `wells`, `assets`, `programs`, `pads`, `rigs`, `drillout-units`, `frac-fleets`. */
export function define(command: Command, cli: Cli): void {
  const resource = platformResource.parse(command.name().replaceAll('-', '_'));
  const filters = filterOptions(resource);
  for (const option of filters.options) command.addOption(option);
  command
    .addOption(new Option('--format <format>', 'output format').choices(formats).default('table'))
    .action(
      cli.run(async (typed: unknown) => {
        const filter = filters.read(typed);
        const { format } = parseOptions(formatOption, typed);
        const entities = await withConnection(cli, ({ client, connection, options }) =>
          client.wells.entities({ connection, resource, filter }, options),
        );
        if (format === 'table') {
          const columns = columnsOf(resource, entities, filter['fields'] !== undefined);
          await cli.out.lines(tableLines(columns, entities));
        } else if (format === 'geojson') await cli.out.lines([JSON.stringify(featureCollection(entities))]);
        else await writeRecords(cli.out, JSON.stringify(entities), format);
        return { summary: { count: entities.length } };
      }),
    );
}
