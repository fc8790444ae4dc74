import { registerHooks } from 'node:module';
import { plantedFaults } from './planted.ts';

// The five modules through which the core reaches the computer are replaced by those of the simulated world.

const seam = /\/src\/main\/world\/(files|time|random|threads|http)\.ts$/;

/** The planted fault, if the simulator is to show that it finds it. */
const planted = plantedFaults.find(({ name }) => name === process.env['WELLBENCH_PLANTED']);
if (!planted && process.env['WELLBENCH_PLANTED'] !== undefined)
  throw new Error('there is no such planted fault');

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!planted || !url.endsWith(`/src/main/${planted.file}`)) return loaded;
    const parts = String(loaded.source).split(planted.from);
    if (parts.length !== 2) throw new Error(`${planted.name}: its place is there ${parts.length - 1} times`);
    return { ...loaded, source: parts.join(planted.to) };
  },
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const name = seam.exec(resolved.url)?.[1];
    return name === undefined
      ? resolved
      : { ...resolved, url: new URL(`world/${name}.ts`, import.meta.url).href };
  },
});

// What is not the application reads the clock of the world, too; the application has no other.
const { World } = await import('./world/machine.ts');
const realNow = Date.now;
Date.now = () => (World.current ? World.current.epoch + World.current.now : realNow());
