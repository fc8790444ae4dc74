import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../../src/main');
/** The calls that give a file a name, which `files/` flushes. */
const importedRename = /import \{[^}]*\b(?:rename|renameSync|link|linkSync)\b[^}]*\} from 'node:fs/;
/** They flush themselves, or need no flush: the log. */
const allowed = /^core\/(?:files\/|mapping\/source-file\.ts|logger\.ts)/;

it('only a few modules rename or link files themselves; the others use a rename that is flushed', () => {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const renaming = files.filter((name) => importedRename.test(readFileSync(join(root, name), 'utf8')));
  expect(files.length).toBeGreaterThan(100);
  expect(renaming.map((name) => name.replaceAll('\\', '/')).filter((name) => !allowed.test(name))).toEqual(
    [],
  );
});
