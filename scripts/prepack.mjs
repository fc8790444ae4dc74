// Before `npm pack`: builds if necessary, and writes the licenses of what is in the build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages, licensesText } from './lib/licenses.mjs';
import { ensureBuild, ensureDependencies, root } from './lib/setup.mjs';

await ensureDependencies();
if ((await ensureBuild()) !== 0) throw new Error('The build failed. Its output is above.');
writeFileSync(join(root, 'out', 'LICENSES.txt'), licensesText(bundledPackages(root)));
