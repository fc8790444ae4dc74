import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createMessages, type MessageStream } from '../../../../src/main/hosts/cli/output.ts';
import { tableLines, type Column } from '../../../../src/main/hosts/cli/table.ts';

/** A stream like stderr, and the text written to it. */
function stderrLike(terminal: { columns: number } | null) {
  const stream = new PassThrough();
  const messageStream: MessageStream = Object.assign(stream, {
    isTTY: terminal !== null,
    columns: terminal?.columns ?? 0,
  });
  return { stream: messageStream, written: () => String(stream.read() ?? '') };
}

describe('messages on a terminal', () => {
  it('update progress on one line, no wider than the terminal, which is cleared before a message', () => {
    const { stream, written } = stderrLike({ columns: 10 });
    const messages = createMessages(stream);
    messages.progress('1,000 of 10,000 rows');
    messages.say('Done.');
    expect(written()).toBe('\r\u001b[2K1,000 of \r\u001b[2KDone.\n');
  });

  it('contain no cursor movement from the text of services', () => {
    const { stream, written } = stderrLike({ columns: 80 });
    createMessages(stream).say('It said: “\u001b[2J\u0007”.');
    expect(written()).toBe('It said: “\\u001b[2J\\u0007”.\n');
  });
});

describe('messages without a terminal', () => {
  it('include progress at intervals, one line each; other messages are always printed', () => {
    const { stream, written } = stderrLike(null);
    const messages = createMessages(stream);
    for (let row = 0; row < 1000; row++) messages.progress(`${row} rows`);
    messages.clear();
    messages.say('Done.');
    expect(written()).toBe('Done.\n');
  });
});

describe('a table', () => {
  const columns: Column<{ id: number | null; name: unknown }>[] = [
    { name: 'id', of: ({ id }) => id },
    { name: 'name', of: ({ name }) => name },
  ];

  it('is as wide as its content, with numbers aligned right', () => {
    const rows = [
      { id: 7, name: 'North\nRidge' },
      { id: 1234, name: null },
      { id: null, name: { a: [1] } },
    ];
    expect([...tableLines(columns, rows)]).toEqual([
      '  id  name',
      '----  ----------------',
      '   7  North\\u000aRidge',
      '1234',
      '      {"a":[1]}',
    ]);
  });

  it('without rows has its headings', () => {
    expect([...tableLines(columns, [])]).toEqual(['id  name', '--  ----']);
  });
});
