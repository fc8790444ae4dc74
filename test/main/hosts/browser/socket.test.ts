import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodePage } from '../../../../src/main/hosts/browser/serve.ts';
import { decodePage } from '../../../../src/renderer/api/socket.ts';
import { hasRecords } from '../../../../src/shared/query/page-frame.ts';

it('a page is transferred byte for byte', () => {
  const bytes = fc.oneof(fc.uint8Array(), fc.uint8Array({ min: 0xfe }));
  fc.assert(
    fc.property(bytes, fc.jsonValue(), fc.string(), (records, said, i) => {
      const b = { json: { count: 1, said, records } };
      expect(hasRecords({ status: 200, headers: {}, body: b })).toBe(true);
      const { buffer, byteOffset, length } = new Uint8Array(encodePage({ i, p: { b } }));
      const message = decodePage(buffer.slice(byteOffset, byteOffset + length));
      expect(JSON.stringify(message.p.b.json.records)).toBe(JSON.stringify(records));
      const { records: _, ...rest } = message.p.b.json;
      expect({ ...message, p: { b: { json: rest } } }).toEqual(
        JSON.parse(JSON.stringify({ i, p: { b: { json: { count: 1, said } } } })),
      );
    }),
  );
});

it('only responses with bytes are pages', () => {
  for (const answer of [null, {}, { body: undefined }, { body: { json: { records: '[]' } } }, { data: 1 }])
    expect(hasRecords(answer)).toBe(false);
});
