import * as z from 'zod';
import { platformFilters, type PlatformResource } from '../../../../shared/wells/platform-filters.ts';
import { command, option } from '../command.ts';
import { entityFormats, writeEntities } from '../entities.ts';
import { decimal, several, whole, yesOrNo } from '../options.ts';
import { withConnection } from '../session.ts';

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
  const values = isList ? (text === whole ? several.pipe(z.array(whole)) : several) : text;
  return option(values.optional(), value, words.join('; '));
}

/** Options for every filter of a resource (specification, sections 2.4 and 4.2): `asset_id` is `--asset-id`. */
const filterOptions = (resource: PlatformResource): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(platformFilters[resource].shape).map(([name, type]) => [name, filterOption(type)]),
  );

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
      const count = await withConnection(cli, async ({ client, connection, options }) =>
        writeEntities(cli.out, await client.wells.entities({ connection, resource, filter }, options), {
          resource,
          format,
          all: filter['fields'] !== undefined,
        }),
      );
      return { summary: { count } };
    },
  });
