import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/** A file of stopped jobs. In texts, `{root}` is their folder and `{url}` the address of the services. */
const stoppedFile = z.union([
  z.object({ path: z.string(), text: z.string() }),
  z.object({ path: z.string(), base64: z.string() }),
]);
export type StoppedFile = z.infer<typeof stoppedFile>;

/** A path as it is inside texts of JSON. */
export const textInJson = (path: string): string => JSON.stringify(path).slice(1, -1);

/**
 * Writes the files of stopped jobs to a folder.
 * @param fixture path of a fixture that make.ts wrote
 */
export async function restoreStopped(fixture: string, root: string, url: string) {
  const lines = (await readFile(fixture, 'utf8')).trimEnd().split('\n');
  const files = lines.map((line) => stoppedFile.parse(JSON.parse(line)));
  const textOf = (path: string): unknown => {
    const file = files.find((each) => each.path === path);
    return file && 'text' in file ? JSON.parse(file.text) : null;
  };
  for (const file of files.filter(
    ({ path }) => path.includes('/') || path.endsWith('.csv') || path.endsWith('.partial'),
  )) {
    const path = join(root, file.path);
    await mkdir(dirname(path), { recursive: true });
    const content =
      'text' in file
        ? file.text.replaceAll('{root}', textInJson(root)).replaceAll('{url}', url)
        : Buffer.from(file.base64, 'base64');
    await writeFile(path, content);
  }
  return {
    /** The id of each job. */
    jobs: z.record(z.string(), z.string()).parse(textOf('jobs.json')),
    /** The records that the upload had stored. */
    stored: z.array(z.record(z.string(), z.unknown())).parse(textOf('stored.json')),
  };
}
