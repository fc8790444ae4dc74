import * as z from 'zod';
import { assetId, platformWellId, type PlatformEntity, type Well } from '../../shared/wells.ts';

const digits = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);
const text = z.union([z.string().min(1), z.number().transform(String)]);

const attributesShape = z.looseObject({
  name: text.optional().catch(undefined),
  // The one number that scopes records; the id of the resource never stands in for it (specification,
  // section 1.4).
  asset_id: digits.optional().catch(undefined),
  status: text.optional().catch(undefined),
  state: text.optional().catch(undefined),
  visibility: text.optional().catch(undefined),
  identifier: text.optional().catch(undefined),
  api_number: text.optional().catch(undefined),
  area: text.optional().catch(undefined),
  company_id: digits.optional().catch(undefined),
  last_active_at: text.optional().catch(undefined),
  well_start: z.union([digits, text]).optional().catch(undefined),
  lon_lat: z.tuple([z.number(), z.number()]).optional().catch(undefined),
  settings: z
    .looseObject({ api_number: text.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

const relationship = z.looseObject({ data: z.looseObject({ id: digits }) });

/** A well out of a platform resource; what the platform did not say is null. */
export function toWell(entity: PlatformEntity): Well {
  const said = attributesShape.parse(entity.attributes);
  return {
    platformId: platformWellId.parse(entity.id),
    assetId: said.asset_id === undefined ? null : assetId.parse(said.asset_id),
    name: said.name ?? `Well ${entity.id}`,
    status: said.status ?? null,
    state: said.state ?? null,
    visibility: said.visibility ?? null,
    identifier: said.identifier ?? null,
    apiNumber: said.api_number ?? said.settings?.api_number ?? apiNumberIn(said.identifier),
    area: said.area ?? null,
    companyId: said.company_id ?? relatedTo('company', entity),
    lastActiveAt: said.last_active_at ?? null,
    programId: relatedTo('program', entity),
    padId: relatedTo('pad', entity),
    rigId: relatedTo('rig', entity),
    fracFleetId: relatedTo('frac_fleet', entity),
    drilloutUnitId: relatedTo('drillout_unit', entity),
    startedAt: isoOf(said.well_start),
    position: said.lon_lat ?? null,
  };
}

/** An identifier that has the form of an API number: 10, 12 or 14 digits, with dashes or without. */
function apiNumberIn(identifier: string | undefined): string | null {
  if (identifier === undefined || !/^[\d-]+$/.test(identifier)) return null;
  return [10, 12, 14].includes(identifier.replaceAll('-', '').length) ? identifier : null;
}

function relatedTo(name: string, { relationships }: PlatformEntity): number | null {
  const parsed = relationship.safeParse(relationships?.[name]);
  return parsed.success ? parsed.data.data.id : null;
}

/** Unix seconds, as the filters of wells count them, or a text that is a date; else nothing is known. */
function isoOf(said: number | string | undefined): string | null {
  const date = new Date(typeof said === 'number' ? said * 1000 : (said ?? Number.NaN));
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
