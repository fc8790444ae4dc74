import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDistributable } from './packages.mjs';

const isLicenseFile = (name) => /^(licen[cs]e|copying|notice|thirdparty)/i.test(name);

/** For packages that name their license, and don't contain it. */
const standardTexts = {
  MIT: `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`,
  ISC: `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`,
};

/** The name, version, and license of the package in a folder. */
export function readPackage(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { name, version, license, author: author?.name ?? author ?? name, folder };
}

/** The packages that are part of the build, sorted by name. */
export function bundledPackages(root) {
  const folders = ['main', 'renderer'].flatMap((part) =>
    JSON.parse(readFileSync(join(root, 'out', `bundled-${part}.json`), 'utf8')),
  );
  return byName([...new Set(folders)].map((folder) => readPackage(join(root, folder))));
}

/** Packages without repetitions, sorted by name and version. */
export function byName(packages) {
  const key = ({ name, version }) => `${name}@${version}`;
  return [...new Map(packages.map((each) => [key(each), each])).values()].sort((a, b) =>
    key(a) < key(b) ? -1 : 1,
  );
}

function licenseTextsOf({ name, license, author, folder }) {
  const files = existsSync(folder) ? readdirSync(folder).filter(isLicenseFile).sort() : [];
  if (files.length > 0) return files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const text = standardTexts[license];
  if (!text) throw new Error(`${name} has no license file, and there is no standard text of ${license}.`);
  return [`Copyright (c) ${author}\n\n${text}`];
}

/**
 * One text with the licenses of packages.
 * @param packages what is distributed, of {@link readPackage}
 * @throws Error if one can't be distributed, or its license isn't known
 */
export function licensesText(packages) {
  const refused = packages.filter(({ license }) => !isDistributable(license));
  if (refused.length > 0)
    throw new Error(
      `Not to be distributed: ${refused.map(({ name, license }) => `${name} (${license})`).join(', ')}.`,
    );
  const line = '-'.repeat(80);
  return byName(packages)
    .map((each) =>
      [line, `${each.name} ${each.version} (${each.license})`, line, '', ...licenseTextsOf(each), ''].join(
        '\n',
      ),
    )
    .join('\n');
}
