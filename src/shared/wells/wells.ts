import * as z from 'zod';
import { assetId, platformWellId } from './well-ids.ts';

/** An unchanged platform resource, except that its id is an integer (specification, section 2.3). */
export const platformEntity = z.object({
  id: z.int(),
  type: z.string(),
  attributes: z.record(z.string(), z.unknown()),
  relationships: z.record(z.string(), z.unknown()).optional(),
});
export type PlatformEntity = z.infer<typeof platformEntity>;

const relatedId = z.int().nullable().default(null);

export const well = z.object({
  platformId: platformWellId,
  /** Null if the platform doesn't have it: such a well's records can't be read. */
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
  /** Ids of related platform resources, if the relationships were included. */
  programId: relatedId,
  padId: relatedId,
  rigId: relatedId,
  fracFleetId: relatedId,
  drilloutUnitId: relatedId,
  /** When work on it began, ISO 8601. */
  startedAt: z.string().nullable().default(null),
  /** Longitude and latitude, in degrees. */
  position: z.tuple([z.number(), z.number()]).nullable().default(null),
  /** The well's time zone as the platform names it, usually an IANA name. */
  timeZone: z.string().nullable().default(null),
});
export type Well = z.infer<typeof well>;

const { shape } = well;
const relatedRow = z.int().nullable();
/** A well in a long list; see `packed-wells.ts`. */
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

const marks = {
  pinned: z.array(assetId).max(1000),
  recent: z.array(assetId).max(50),
  /** The visible fields of the list and columns of the table; null: default. */
  facts: z.array(z.string()).max(40).nullable(),
  columns: z.array(z.string()).max(40).nullable(),
};
/** The user's marks of a connection's wells, by asset id, latest first. */
export const wellMarks = z.object(marks);
export type WellMarks = z.infer<typeof wellMarks>;
export const noMarks: WellMarks = { pinned: [], recent: [], facts: null, columns: null };
/** The changed marks; absent ones remain. */
export const wellMarksChange = z.object(marks).partial();
export type WellMarksChange = z.infer<typeof wellMarksChange>;
