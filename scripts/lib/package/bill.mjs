import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { byName } from '../licenses.mjs';

/** npm's own description of all packages of the lockfile, in the form of CycloneDX. */
export function lockedBill(root) {
  const args = ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'];
  const own = process.env.npm_execpath;
  const [program, ...before] = own?.endsWith('.js') ? [process.execPath, own] : ['npm'];
  const options = {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  };
  return JSON.parse(execFileSync(program, [...before, ...args], options));
}

/** A UUID that follows from a text, so that the same contents have the same one. */
function uuidOf(text) {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The bill of materials of a package (CycloneDX 1.5): npm's, with only what is distributed.
 * @param locked of {@link lockedBill}
 * @param packages what is distributed
 * @param project name and version of the application
 * @param seconds time of the build, in Unix seconds
 * @returns the bill as JSON
 * @throws Error if a package isn't in the lockfile
 */
export function billOfMaterials(locked, packages, { name, version }, seconds) {
  const components = byName(packages).map((each) => {
    const component = locked.components.find((one) => one.name === each.name && one.version === each.version);
    if (!component) throw new Error(`${each.name} ${each.version} isn’t in the lockfile.`);
    // That it is a tool of the build is true of the checkout only.
    return { ...component, scope: 'required', properties: [] };
  });
  const refs = new Set(components.map((component) => component['bom-ref']));
  const { component, ...metadata } = locked.metadata;
  const bill = {
    ...locked,
    serialNumber: '',
    metadata: {
      ...metadata,
      timestamp: new Date(seconds * 1000).toISOString(),
      lifecycles: [{ phase: 'build' }],
      component: { ...component, name, version, type: 'application', properties: [] },
    },
    components,
    dependencies: [
      { ref: component['bom-ref'], dependsOn: [...refs] },
      ...locked.dependencies
        .filter(({ ref }) => refs.has(ref))
        .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) })),
    ],
  };
  bill.serialNumber = `urn:uuid:${uuidOf(JSON.stringify(bill))}`;
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}
