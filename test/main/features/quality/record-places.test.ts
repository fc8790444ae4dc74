import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createPlaceReader, placeText } from '../../../../src/main/features/quality/record-places.ts';
import { useFolders } from '../../../support/folders.ts';

const newFolder = useFolders();

it('places of records are read as they were written, in parts of any size', async () => {
  const path = join(await newFolder(), 'places');
  const places = Array.from({ length: 30_000 }, (_, n) => ({ start: n * 1e9, bytes: n % 7, line: n + 2 }));
  const indexes = [Number.NaN, -0.25, 1.7e12, 1e-9, 1e21];
  const text = places.map((place, n) => placeText(place, indexes[n % indexes.length] ?? 0)).join('');
  await writeFile(path, text);
  const reader = createPlaceReader(path);
  const read: typeof places = [];
  for (let some = reader.next(4096); some.length > 0; some = reader.next(4096)) read.push(...some);
  reader.close();
  expect(read).toEqual(places);
});
