import { registerHooks } from 'node:module';

// The five modules through which the core reaches the computer are replaced by those of the simulated world.

const seam = /\/src\/main\/world\/(files|time|random|threads|http)\.ts$/;

registerHooks({
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
