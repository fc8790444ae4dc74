import { expect, it } from 'vitest';
import { placeOf } from '../../../../src/shared/language/reader.ts';
import { splitPipeline } from '../../../../src/shared/language/text/pipeline.ts';
import { stagePlace } from '../../../../src/shared/language/text/stage-place.ts';

const text = `[
  { $match: { a: 1 } }, // first
  // { $skip: 2 },
  {
    $sort: { a: 0 }
  }, { $limit: -1 }
]`;

it.each([
  ['a: 1', 0, 1, 13],
  ['a: 0', 2, 2, 14],
  ['-1', 3, 1, 11],
])('a position in %s belongs to stage %i, at %i:%i of its own text', (said, at, line, column) => {
  const whole = placeOf(text, text.indexOf(said), 'stages');
  const place = stagePlace(text, whole.line, whole.column);
  expect(place).toEqual({ at, line, column });
  const own = splitPipeline(text)?.stages[at]?.text.split('\n') ?? [];
  expect(own.at(line - 1)?.slice(column - 1)).toMatch(new RegExp(`^${said}`));
});

it('a position outside the stages belongs to none', () => {
  expect(stagePlace(text, 2, 27)).toBeNull();
  expect(stagePlace('{', 1, 1)).toBeNull();
});
