import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { TextBuffer } from '../../../../src/main/core/records/text-buffer.ts';

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 100 }).map((text) => ({ text })),
  fc.uint8Array({ maxLength: 200, max: 0x7f }).map((bytes) => ({ bytes })),
  fc.nat(0x7f).map((byte) => ({ byte })),
);

it('has what was added, in order, also after it was taken', () => {
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 40 }), { maxLength: 4 }), (contents) => {
      const buffer = new TextBuffer();
      for (const parts of contents) {
        for (const added of parts)
          if ('text' in added) buffer.text(added.text);
          else if ('bytes' in added) buffer.range(added.bytes, 0, added.bytes.length);
          else buffer.byte(added.byte);
        const expected = Buffer.concat(
          parts.map((added) => {
            if ('text' in added) return Buffer.from(added.text);
            return 'bytes' in added ? Buffer.from(added.bytes) : Buffer.of(added.byte);
          }),
        );
        expect(Buffer.from(buffer.copy())).toEqual(expected);
        expect(Buffer.from(buffer.take())).toEqual(expected);
        expect(buffer.length).toBe(0);
      }
    }),
  );
});

it('grows beyond its first size, and drops what is after its length', () => {
  const buffer = new TextBuffer();
  const long = 'é'.repeat(100_000);
  buffer.text(long);
  const mark = buffer.length;
  buffer.range(Buffer.from('dropped'), 0, 7);
  buffer.length = mark;
  buffer.byte(0x2e);
  expect(buffer.textFrom(0)).toBe(`${long}.`);
  expect(buffer.textFrom(mark)).toBe('.');
});
