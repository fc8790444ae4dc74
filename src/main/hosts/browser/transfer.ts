import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { appErrorFrom, isDiskFull } from '../../core/files/file-errors.ts';
import type { Files } from '../../core/files/files.ts';
import { openRegular } from '../../core/files/regular-file.ts';

/** Receives a selected file: streams it to a spool and grants a token. */
export async function receiveFile(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  { files, spool }: { files: Files; spool: string },
): Promise<void> {
  const folder = join(spool, randomBytes(12).toString('hex'));
  const path = join(folder, name);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(request, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    const granted = await files.grantSource({ place: 'spooled', path, name });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(granted));
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    const error = isDiskFull(cause)
      ? new AppError('disk_full', { file: name, writtenBytes: 0 }, { cause })
      : appErrorFrom(cause);
    if (!response.writableEnded)
      response
        .writeHead(507, { 'Content-Type': 'application/json' })
        .end(JSON.stringify({ error: error.toBody() }));
  }
}

/** Maximum length of a text that another process of the user sends, in bytes. */
const maxTextBytes = 1_000_000;

/**
 * Receives a short text.
 * @returns the text
 * @throws AppError `invalid_input` if it is too long
 */
export async function receiveText(request: IncomingMessage): Promise<string> {
  let body = Buffer.alloc(0);
  for await (const part of request) {
    body = Buffer.concat([body, Buffer.from(part)]);
    if (body.length > maxTextBytes) throw invalidInput('The request is too long.');
  }
  return body.toString('utf8');
}

/** Sends a job's file as a download. @throws AppError `file_unreadable`, `invalid_input` for an invalid token */
export async function sendFile(response: ServerResponse, token: string, files: Files): Promise<void> {
  const source = files.source(token);
  const file = await openRegular(source.path, source.name);
  const { size } = await file.stat();
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': size,
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(source.name.toWellFormed())}`,
  });
  await pipeline(file.createReadStream(), response);
}
