import * as z from 'zod';

/** The platform's resources (specification, section 4.2). */
export const platformResources = [
  'wells',
  'assets',
  'programs',
  'pads',
  'rigs',
  'drillout_units',
  'frac_fleets',
] as const;
export const platformResource = z.enum(platformResources);
export type PlatformResource = z.infer<typeof platformResource>;

const ids = z.array(z.int()).max(10_000);
const dateTime = z.string();
const order = z.enum(['asc', 'desc']);

const shared = {
  ids: ids.optional(),
  fields: z.array(z.string()).optional(),
  per_page: z.int().positive().optional(),
  sort: z.string().optional(),
  order: order.optional(),
  active_before: dateTime.optional(),
  active_after: dateTime.optional(),
  lat_start: z.number().optional(),
  lat_end: z.number().optional(),
  long_start: z.number().optional(),
  long_end: z.number().optional(),
};
const ofCrew = {
  search: z.string().optional(),
  app_key: z.string().optional(),
  active: z.string().optional(),
};
const relatedIds = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, z.int().optional()])) as Record<K, z.ZodOptional<z.ZodInt>>;

/** The filters of each list, named as in the specification (sections 2.4 and 4.2); arrays go out as `name[]`. */
export const platformFilters = {
  wells: z.strictObject({
    ...shared,
    ...relatedIds(
      'company',
      'program',
      'pad',
      'drillout_unit',
      'frac_fleet',
      'well_start_before',
      'well_start_after',
    ),
    asset_id: ids.optional(),
    status: z.string().optional(),
    state: z.string().optional(),
    visibility: z.string().optional(),
    identifier: z.string().optional(),
    area: z.string().optional(),
    search: z.string().optional(),
    last_active_drilling_before: dateTime.optional(),
    last_active_drilling_after: dateTime.optional(),
  }),
  assets: z.strictObject({
    ...shared,
    ...relatedIds('company_id', 'program', 'parent_asset_id', 'start', 'end'),
    types: z.array(z.enum(['program', 'rig', 'well'])).optional(),
    status: z.enum(['active', 'idle', 'paused', 'complete', 'deleting']).optional(),
    visibility: z.enum(['visible', 'visible_to_admin', 'deleted']).optional(),
    api_number: z.array(z.string()).optional(),
    search: z.string().optional(),
  }),
  programs: z.strictObject({ ...shared, ...relatedIds('company'), name: z.string().optional() }),
  pads: z.strictObject({
    ...shared,
    ...relatedIds('company', 'program', 'frac_fleet', 'current_frac_fleet', 'drillout_unit', 'page'),
    well_ids: ids.optional(),
    search: z.string().optional(),
    active: z.boolean().optional(),
    current: z.boolean().optional(),
  }),
  rigs: z.strictObject({
    ...shared,
    ...relatedIds('company', 'program', 'active_well', 'has_active_well'),
    ...ofCrew,
  }),
  drillout_units: z.strictObject({
    ...shared,
    ...relatedIds('company', 'program', 'pad', 'well'),
    ...ofCrew,
  }),
  frac_fleets: z.strictObject({
    ...shared,
    ...relatedIds('company', 'program', 'pad', 'current_pad'),
    ...ofCrew,
  }),
} as const satisfies Record<PlatformResource, z.ZodType>;
export type PlatformFilter<R extends PlatformResource = PlatformResource> = z.infer<
  (typeof platformFilters)[R]
>;
