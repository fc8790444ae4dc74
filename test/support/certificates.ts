import {
  createHash,
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
  type KeyObject,
} from 'node:crypto';

// The minimum of X.509 (RFC 5280) to create a private authority and a server's certificate.

function der(tag: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const length =
    body.length < 128
      ? Buffer.from([body.length])
      : body.length < 256
        ? Buffer.from([0x81, body.length])
        : Buffer.from([0x82, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([tag]), length, body]);
}
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
const octets = (body: Buffer) => der(0x04, body);
const yes = der(0x01, Buffer.from([0xff]));
const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'));
const name = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))));
const time = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`));

interface Signer {
  readonly name: string;
  readonly key: KeyObject;
}

function certificate(
  subject: string,
  publicKey: KeyObject,
  issuer: Signer,
  extensions: Buffer[],
  until: number,
): string {
  const serial = Buffer.concat([Buffer.from([0x01]), randomBytes(8)]);
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, serial),
    ecdsaWithSha256,
    name(issuer.name),
    sequence(time(2020), time(until)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, issuer.key));
  const base64 = sequence(body, ecdsaWithSha256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function keyId(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest();
}

/** A private authority and a certificate signed by it for the given host names and 127.0.0.1. */
export function makeCertificates(hosts: readonly string[], { until = 2120 } = {}) {
  const authority = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const server = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const signer = { name: 'Private test authority', key: authority.privateKey };
  const ca = certificate(
    signer.name,
    authority.publicKey,
    signer,
    [
      sequence(oid('551d13'), yes, octets(sequence(yes))),
      sequence(oid('551d0e'), octets(octets(keyId(authority.publicKey)))),
    ],
    2120,
  );
  const names = [
    ...hosts.map((host) => der(0x82, Buffer.from(host))),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  ];
  const cert = certificate(
    hosts[0] ?? 'localhost',
    server.publicKey,
    signer,
    [
      sequence(oid('551d11'), octets(sequence(...names))),
      sequence(oid('551d23'), octets(sequence(der(0x80, keyId(authority.publicKey))))),
    ],
    until,
  );
  return { ca, cert, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

/** A self-signed certificate for a host name and 127.0.0.1. */
export function makeSelfSigned(host: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = [der(0x82, Buffer.from(host)), der(0x87, Buffer.from([127, 0, 0, 1]))];
  const extensions = [sequence(oid('551d11'), octets(sequence(...names)))];
  const cert = certificate(host, publicKey, { name: host, key: privateKey }, extensions, 2120);
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const pkcs7Data = '2a864886f70d010701';
const content = (...parts: Buffer[]) => sequence(oid(pkcs7Data), der(0xa0, octets(sequence(...parts))));
const bag = (id: string, value: Buffer) => sequence(oid(`2a864886f70d010c0a01${id}`), der(0xa0, value));
const macRounds = 2048;

/** A certificate and its key as PKCS#12 (RFC 7292), encrypted as current programs do. */
export function makePkcs12({ cert, key }: { cert: string; key: string }, passphrase: string): Buffer {
  const encryptedKey = createPrivateKey(key).export({
    type: 'pkcs8',
    format: 'der',
    cipher: 'aes-256-cbc',
    passphrase,
  });
  const certBag = sequence(oid('2a864886f70d01091601'), der(0xa0, octets(new X509Certificate(cert).raw)));
  const safes = sequence(content(bag('02', encryptedKey)), content(bag('03', certBag)));
  const salt = randomBytes(8);
  // The derivation of a key for a MAC, with one block of SHA-256.
  const filled = (bytes: Buffer) => Buffer.alloc(64 * Math.ceil(bytes.length / 64), bytes);
  const secret = Buffer.from(`${passphrase}\0`, 'utf16le').swap16();
  let macKey: Buffer = Buffer.concat([Buffer.alloc(64, 3), filled(salt), filled(secret)]);
  for (let round = 0; round < macRounds; round += 1) macKey = createHash('sha256').update(macKey).digest();
  const mac = createHmac('sha256', macKey).update(safes).digest();
  const sha256 = sequence(oid('608648016503040201'), der(0x05));
  const rounds = der(0x02, Buffer.from([macRounds >> 8, macRounds & 255]));
  return sequence(
    der(0x02, Buffer.from([3])),
    sequence(oid(pkcs7Data), der(0xa0, octets(safes))),
    sequence(sequence(sha256, octets(mac)), octets(salt), rounds),
  );
}
