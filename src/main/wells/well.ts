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
  settings: z
    .looseObject({ api_number: text.optional().catch(undefined) })
    .optional()
    .catch(undefined),
});

const companyShape = z.looseObject({ company: z.looseObject({ data: z.looseObject({ id: digits }) }) });

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
    companyId: said.company_id ?? companyOf(entity),
    lastActiveAt: said.last_active_at ?? null,
  };
}

/** An identifier that has the form of an API number: 10, 12 or 14 digits, with dashes or without. */
function apiNumberIn(identifier: string | undefined): string | null {
  if (identifier === undefined || !/^[\d-]+$/.test(identifier)) return null;
  return [10, 12, 14].includes(identifier.replaceAll('-', '').length) ? identifier : null;
}

function companyOf({ relationships }: PlatformEntity): number | null {
  const parsed = companyShape.safeParse(relationships);
  return parsed.success ? parsed.data.company.data.id : null;
}
