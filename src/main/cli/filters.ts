import { Option } from 'commander';
import * as z from 'zod';
import { platformFilters } from '../../shared/wells/platform-filters.ts';
import type { PlatformResource } from '../../shared/wells/platform-filters.ts';
import { decimal, gather, parseOptions, several, whole, yesOrNo } from './options.ts';

// The parts of a filter schema that are read here; filters use no others.
const choices = { enum: z.array(z.string()).optional() };
const one = z.object({ type: z.enum(['integer', 'number', 'string', 'boolean']), ...choices });
const many = z.object({
  type: z.literal('array'),
  items: z.object({ type: z.enum(['integer', 'string']), ...choices }),
});
const property = z.union([many, one]);
type Property = z.infer<typeof property>;
const filterSchema = z.object({ properties: z.record(z.string(), property) });

const camel = (name: string): string => name.replace(/_(.)/g, (_all, letter: string) => letter.toUpperCase());
const dashed = (name: string): string => name.replaceAll('_', '-');

const kinds = { integer: whole, number: decimal, string: z.string(), boolean: yesOrNo } as const;
const placeholders = { integer: '<n>', number: '<n>', string: '<text>', boolean: '[yes|no]' } as const;

function typedSchema(of: Property): z.ZodType {
  if (of.type !== 'array') return kinds[of.type];
  return of.items.type === 'integer' ? several.pipe(z.array(whole)) : several;
}

function optionOf(name: string, of: Property): Option {
  const item = of.type === 'array' ? of.items : of;
  const words = [
    ...(item.enum ? [`one of ${item.enum.join(', ')}`] : []),
    ...(of.type === 'array' ? ['comma-separated or repeated'] : []),
  ];
  const option = new Option(`--${dashed(name)} ${placeholders[item.type]}`, words.join('; '));
  return of.type === 'array' ? option.argParser(gather) : option;
}

/** The filters of a platform resource as command line options, generated from their schema. */
export type FilterOptions = ReturnType<typeof filterOptions>;

/** Options for every filter of a resource (specification, sections 2.4 and 4.2): `asset_id` is `--asset-id`. */
export function filterOptions(resource: PlatformResource) {
  const { properties } = filterSchema.parse(z.toJSONSchema(platformFilters[resource], { io: 'input' }));
  const entries = Object.entries(properties);
  const typed = z.object(
    Object.fromEntries(entries.map(([name, of]) => [camel(name), typedSchema(of).optional()])),
  );
  return {
    options: entries.map(([name, of]) => optionOf(name, of)),
    /** The filter from the options, with the names of the specification. @throws AppError invalid_input */
    read(raw: unknown): Record<string, unknown> {
      const values = parseOptions(typed, raw);
      return Object.fromEntries(
        entries.map(([name]) => [name, values[camel(name)]]).filter(([, value]) => value !== undefined),
      );
    },
  };
}
