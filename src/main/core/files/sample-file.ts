import { join } from 'node:path';
import type { calls } from '../../../shared/contract/contract.ts';
import type { Handler } from '../handlers.ts';
import { writeWhole } from './disk.ts';
import type { Files } from './files.ts';
import { readOwnText } from './regular-file.ts';
import { mkdir } from '../../world/files.ts';

const name = 'drilling-time.csv';
const rows = 120;
const start = Date.UTC(2025, 10, 20, 12);
const wave = (at: number, middle: number, range: number): number =>
  middle + range * Math.sin(at / 3) * Math.cos(at / 7);

/** Two minutes of drilling, a row each second, without a well: the selected one applies. The second line has the units. */
function sampleText(): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const depth = 11_850 + at * 0.037;
    return [
      start + at * 1000,
      depth.toFixed(2),
      (depth - 0.2).toFixed(2),
      wave(at, 130, 14).toFixed(1),
      wave(at, 27, 2).toFixed(1),
      wave(at, 71, 4).toFixed(0),
      wave(at, 3480, 40).toFixed(0),
      'Rotary Drilling',
    ].join(',');
  });
  const header = [
    'timestamp,hole_depth,bit_depth,rop,weight_on_bit,rotary_rpm,standpipe_pressure,state',
    ',ft,ft,ft/h,klbf,rpm,psi,',
  ];
  return [...header, ...lines].map((line) => `${line}\n`).join('');
}

/**
 * Grants the sample file to the window. It is written once, and again if it was changed.
 * @throws AppError `disk_full`, `file_unwritable`
 */
export function createSampleFile(
  dataFolder: string,
  files: Pick<Files, 'grantSource'>,
): Handler<(typeof calls)['files']['sample']> {
  return async () => {
    const folder = join(dataFolder, 'samples');
    const path = join(folder, name);
    const text = sampleText();
    if ((await readOwnText(path, name).catch(() => null)) !== text) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeWhole(path, text);
    }
    return files.grantSource({ place: 'path', path, name });
  };
}
