import { describe, expect, it } from 'vitest';
import { statementError } from '../../../../src/main/core/duckdb/statement.ts';

describe('an error of the engine', () => {
  it('has line and column from the position of the caret', () => {
    const message =
      'Binder Error: Referenced column "nope" not found in FROM clause!\nCandidate bindings: "timestamp"\n\nLINE 3: where nope = 1\n              ^';
    expect(statementError(message).details.issues).toEqual([
      {
        message: 'Referenced column "nope" not found in FROM clause. Candidate bindings: "timestamp".',
        place: { field: 'sql', line: 3, column: 7 },
      },
    ]);
  });

  it('has no column when the engine shortens the line', () => {
    const message = 'Binder Error: no such column\n\nLINE 1: ...a, b, c from wits\n               ^';
    expect(statementError(message).details.issues).toEqual([
      { message: 'No such column.', place: { field: 'sql', line: 1 } },
    ]);
  });

  it('without a position is only a message, with the kind of a fault that isn’t the statement’s', () => {
    expect(statementError('Out of Memory Error: failed to allocate').details.issues).toEqual([
      { message: 'Out of Memory Error: failed to allocate.', place: { field: 'sql' } },
    ]);
  });
});
