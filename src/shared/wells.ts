import * as z from 'zod';
import { connectionId } from './connections.ts';

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
    search: z.string().optional(),
    app_key: z.string().optional(),
    active: z.string().optional(),
  }),
  drillout_units: z.strictObject({
    ...shared,
    ...relatedIds('company', 'program', 'pad', 'well'),
    search: z.string().optional(),
    app_key: z.string().optional(),
    active: z.string().optional(),
  }),
  frac_fleets: z.strictObject({
    ...shared,
    ...relatedIds('company', 'program', 'pad', 'current_pad'),
    search: z.string().optional(),
    app_key: z.string().optional(),
    active: z.string().optional(),
  }),
} as const satisfies Record<PlatformResource, z.ZodType>;
export type PlatformFilter<R extends PlatformResource = PlatformResource> = z.infer<
  (typeof platformFilters)[R]
>;

/** A platform resource as it came, its id normalised to an integer (specification, section 2.3). */
export const platformEntity = z.object({
  id: z.int(),
  type: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  relationships: z.record(z.string(), z.unknown()).optional(),
});
export type PlatformEntity = z.infer<typeof platformEntity>;

/**
 * A well. `assetId` is the only number that scopes records; `platformId` is the id of `/v2/wells` and never does
 * (specification, section 1.4). They are different types here, so that one cannot stand in for the other.
 */
export const assetId = z.int().brand<'assetId'>();
export type AssetId = z.infer<typeof assetId>;
export const platformWellId = z.int().brand<'platformWellId'>();
export type PlatformWellId = z.infer<typeof platformWellId>;

const relatedId = z.int().nullable().default(null);

export const well = z.object({
  platformId: platformWellId,
  /** Null when the platform did not say it: such a well's data can't be asked for. */
  assetId: assetId.nullable(),
  name: z.string(),
  status: z.string().nullable(),
  state: z.string().nullable(),
  visibility: z.string().nullable(),
  identifier: z.string().nullable(),
  apiNumber: z.string().nullable(),
  area: z.string().nullable(),
  companyId: z.int().nullable(),
  lastActiveAt: z.string().nullable(),
  /** What it belongs to: ids of the platform's other resources, where the relationships came along. */
  programId: relatedId,
  padId: relatedId,
  rigId: relatedId,
  fracFleetId: relatedId,
  drilloutUnitId: relatedId,
  /** When work on it began, ISO 8601. */
  startedAt: z.string().nullable().default(null),
  /** Longitude and latitude, in degrees. */
  position: z.tuple([z.number(), z.number()]).nullable().default(null),
  /** The time zone it lies in, as the platform calls it: an IANA name, as a rule. */
  timeZone: z.string().nullable().default(null),
});
export type Well = z.infer<typeof well>;

const { shape } = well;
const relatedRow = z.int().nullable();
/** A well in a long list, as it is kept and as it crosses: `packed-wells.ts` says what stands where. */
export const packedWell = z.tuple([
  shape.platformId,
  shape.assetId,
  shape.name,
  shape.status,
  shape.state,
  shape.visibility,
  shape.identifier,
  shape.apiNumber,
  shape.area,
  shape.companyId,
  shape.lastActiveAt,
  relatedRow,
  relatedRow,
  relatedRow,
  relatedRow,
  relatedRow,
  z.string().nullable(),
  z.tuple([z.number(), z.number()]).nullable(),
  z.string().nullable(),
]);
export type PackedWell = z.infer<typeof packedWell>;

export const wellsQuery = z.object({ connection: connectionId, filter: platformFilters.wells });
export const entitiesQuery = z.object({
  connection: connectionId,
  resource: platformResource,
  /** Checked against the filters of the resource by the handler. */
  filter: z.record(z.string(), z.unknown()),
});

/** Names, API numbers or asset ids as a person has them in a list. */
export const resolveQuery = z.object({
  connection: connectionId,
  names: z.array(z.string().trim().min(1).max(200)).min(1).max(1000),
});
/** None: not found. Several: it is for the person to say which is meant. */
export const resolvedName = z.object({ name: z.string(), wells: z.array(well) });
export type ResolvedName = z.infer<typeof resolvedName>;

const marks = {
  pinned: z.array(assetId).max(1000),
  recent: z.array(assetId).max(50),
  /** What rows of the list say, and the columns of the table; null: the usual. */
  facts: z.array(z.string()).max(40).nullable(),
  columns: z.array(z.string()).max(40).nullable(),
};
/** What a person has marked in the wells of a connection, by asset id, the latest first. */
export const wellMarks = z.object(marks);
export type WellMarks = z.infer<typeof wellMarks>;
export const noMarks: WellMarks = { pinned: [], recent: [], facts: null, columns: null };
/** What becomes another; what is absent stays. */
export const wellMarksChange = z.object(marks).partial();
export type WellMarksChange = z.infer<typeof wellMarksChange>;
