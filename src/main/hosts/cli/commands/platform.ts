import * as z from 'zod';
import { firstInWords } from '../../../../shared/lists.ts';
import { MissingIds, type PlatformEntity } from '../../../../shared/wells/wells.ts';
import { platformFilters, type PlatformResource } from '../../../../shared/wells/platform-filters.ts';
import { command, option } from '../command.ts';
import { entityFormats, writeEntities } from '../entities.ts';
import { decimal, textList, whole, wholeList, yesOrNo } from '../options.ts';
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
      // Requested attributes may not be those that identify an item.
      const missing = new MissingIds(all ? {} : filter);
      const count = await withConnection(cli, async ({ client, connection, options }) => {
        const pages = await client.wells.entities({ connection, resource, filter }, options);
        return writeEntities(cli.out, seen(missing, pages), { resource, format, all });
      });
      const notFound = missing.texts;
      if (notFound.length === 0) return { summary: { count } };
      cli.messages.say(`Warning: Not found: ${firstInWords(notFound, 20)}`);
      return { summary: { count, notFound } };
    },
  });
