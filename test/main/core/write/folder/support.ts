import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';
import { idAt, type Rows } from '../../../features/export/support/rows.ts';
import { recordsService } from '../../../features/export/support/service.ts';

export const day = 86_400_000;
export const start = Date.UTC(2026, 0, 30);

interface Made {
  readonly asset?: number | string | null;
  readonly ms?: number | null;
  readonly rop?: string;
}

/** A record of a time dataset. */
export function record(
  n: number,
  { asset = 5001 + (n % 2), ms = start + n * 3_600_000, rop = `${n}.5` }: Made = {},
): string {
  const well = typeof asset === 'string' ? JSON.stringify(asset) : String(asset);
  return `{"_id":"${idAt(n)}","asset_id":${well},"timestamp":${ms},"version":1,"data":{"rop":${rop}}}`;
}

export const records = (count: number): string[] => Array.from({ length: count }, (_, n) => record(n));

/** Starts services of these records for a test, and opens them. */
export function useRowServices() {
  const servers = useServers();
  const open = useServices();
  return async (rows: Rows) => {
    const { url } = await servers.http(recordsService(rows));
    return open(url);
  };
}
