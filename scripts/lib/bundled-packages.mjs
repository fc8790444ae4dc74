import { writeFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A plugin of the build that writes which packages are in it: their folders below the project's root, sorted.
 * @param file of the list, as JSON
 */
export function listBundledPackages(file) {
  const folders = new Set();
  return {
    name: 'list-bundled-packages',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        for (const id of Object.keys(chunk.modules ?? {})) {
          const folder = /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/?]+/.exec(
            id.replaceAll('\\', '/'),
          );
          if (folder) folders.add(folder[0]);
        }
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(
        file,
        JSON.stringify(
          [...folders].sort((a, b) => (a < b ? -1 : 1)),
          undefined,
          1,
        ),
      );
    },
  };
}
