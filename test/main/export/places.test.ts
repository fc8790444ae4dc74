import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { publish, reservePartial } from '../../../src/main/export/places.ts';
import { useFolders } from '../../support/folders.ts';

const folder = useFolders();

describe('the paths of an export', () => {
  it('give the finished file its name, and never that of another file, even in a race', async () => {
    const place = await folder();
    const [partial, file] = [join(place, 'out.csv.partial'), join(place, 'out.csv')];
    writeFileSync(partial, 'new');
    writeFileSync(file, 'mine');
    await expect(publish(partial, file)).rejects.toMatchObject({
      code: 'file_exists',
      details: { file: 'out.csv' },
    });
    expect([readFileSync(partial, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['new', 'mine']);
    const other = join(place, 'other.csv');
    await publish(partial, other);
    expect(readFileSync(other, 'utf8')).toBe('new');
    expect(readdirSync(place).toSorted()).toEqual(['other.csv', 'out.csv']);
  });

  it('give each incomplete file its own name', async () => {
    const place = await folder();
    const names = await Promise.all([1, 2, 3].map(() => reservePartial(join(place, 'out.csv'))));
    expect(new Set(names).size).toBe(3);
    expect(readdirSync(place).toSorted()).toEqual([
      'out.csv.2.partial',
      'out.csv.3.partial',
      'out.csv.partial',
    ]);
  });
});
