import { describe, expect, it } from 'vitest';
import {
  isValue,
  readExpression,
} from '../../../../../../src/renderer/features/query/stages/form/stage-form.tsx';

describe('an expression in the form of a group', () => {
  it.each([
    ['asset_id', '"$asset_id"'],
    [' data.rop ', '"$data.rop"'],
  ])('is the values of a field, where its name is typed: %s', (typed, expression) => {
    expect(readExpression(typed)).toBe(expression);
    expect(isValue(expression)).toBe(true);
  });

  it.each(['null', 'true', '5', '"asset_id"', '"$asset_id"', '{ $floor: "$data.rop" }', 'data.', '{'])(
    'is itself otherwise: %s',
    (typed) => expect(readExpression(typed)).toBe(typed),
  );
});
