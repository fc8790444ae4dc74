import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Of parts that the window has once. */
const single = /features[\\/](?:connections|settings)[\\/]|app[\\/]/;

it('no part that two tabs can show has an id of its own, which would name the other one', () => {
  const files = globSync('src/renderer/**/*.tsx').filter((file) => !single.test(file));
  expect(files.length).toBeGreaterThan(100);
  const literal = /\s(?:id|htmlFor|aria-(?:labelledby|describedby|controls))="[^"]*"|\sid=\{`(?!\$\{)/g;
  const found = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(literal)].map(([text]) => `${file}: ${text.trim()}`),
  );
  expect(found).toEqual([]);
});
