import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  parseAuthorities,
  summarizeAuthorities,
} from '../../../../src/main/core/connections/certificates.ts';
import { makeCertificates } from '../../../support/certificates.ts';

const { ca, key } = makeCertificates(['a.example']);
const other = makeCertificates(['b.example']).ca;
const der = new X509Certificate(ca).raw;

describe('a CA file', () => {
  it('contains certificates: one or many, in PEM or DER, with text between them', () => {
    expect(parseAuthorities(Buffer.from(ca), 'ca.pem')).toHaveLength(1);
    expect(
      parseAuthorities(Buffer.from(`# Corp\r\n${ca}\n${ca}\nsubject=x\n${other}`), 'ca.pem'),
    ).toHaveLength(2);
    expect(parseAuthorities(der, 'ca.cer')).toEqual([new X509Certificate(ca).toString()]);
  });

  it.each([
    ['nothing', Buffer.alloc(0), 'it is empty'],
    ['text', Buffer.from('hello'), 'no readable certificate'],
    ['a key', Buffer.from(key), 'private key'],
    ['a key between certificates', Buffer.from(ca + key), 'private key'],
    ['a truncated certificate', Buffer.from(ca.replace(/M/g, 'N')), 'no readable certificate'],
    ['too much data', Buffer.alloc(3_000_000, 'x'), 'too large'],
  ])('that contains %s is rejected', (_name, bytes, reason) => {
    expect(() => parseAuthorities(bytes, 'ca.pem')).toThrow(
      expect.objectContaining({ code: 'file_unsuitable', message: expect.stringContaining(reason) }),
    );
  });

  it('is shown by the names of its authorities', () => {
    expect(summarizeAuthorities([ca, 'torn'])).toEqual([
      { name: 'Private test authority', ends: '2120-01-01T00:00:00.000Z' },
    ]);
  });
});
