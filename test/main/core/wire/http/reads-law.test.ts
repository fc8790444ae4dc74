import { describe, expect, it } from 'vitest';
import { get, post } from '../../../../../src/main/core/wire/http/exchange.ts';
import { seededRandom, testClock } from '../../../../support/clock.ts';
import { useServers } from '../../../../support/servers.ts';
import { decode, useHttp } from './support.ts';

const servers = useServers();
const client = useHttp();

describe('the law of reads', () => {
  it('1,000 reads with 20% 429, 10% 5xx, 5% resets, and 2% truncated bodies all return correct results', async () => {
    const tries = new Map<string, number>();
    const server = await servers.http(({ url, body }, response, socket) => {
      const requested: string = body === '' ? (url.searchParams.get('n') ?? '') : JSON.parse(body).n;
      const nth = (tries.get(requested) ?? 0) + 1;
      tries.set(requested, nth);
      // The same outcome for the same try of the same read, whatever else runs.
      const dice = seededRandom(Number(requested) * 100 + nth)();
      const answer = JSON.stringify({ requested });
      if (dice < 0.2) return void response.writeHead(429, { 'retry-after': dice < 0.1 ? '1' : '0' }).end();
      if (dice < 0.3) return void response.writeHead(dice < 0.25 ? 500 : 503).end('<html>busy</html>');
      if (dice < 0.35) return void socket.resetAndDestroy();
      if (dice < 0.36) {
        response.writeHead(200, { 'content-length': answer.length });
        return void response.write(answer.slice(0, 5), () => socket.destroy());
      }
      // A proxy that hides the length and truncates the body.
      if (dice < 0.37) return void response.writeHead(200, { connection: 'close' }).end(answer.slice(0, 8));
      return void response.end(answer);
    });
    const clock = testClock({ frozen: true });
    let waits = 0;
    const http = client(server.url, { clock, random: seededRandom(8), onRetry: () => (waits += 1) });
    const reads = Array.from({ length: 1000 }, (_, n) => {
      const request = n % 2 === 0 ? get('/', [['n', String(n)]]) : post('/list/', { n: String(n) });
      return http.read(request, decode);
    });
    const answers = await Promise.all(reads);
    expect(answers).toEqual(Array.from({ length: 1000 }, (_, n) => ({ requested: String(n) })));
    expect(server.seen).toHaveLength(1000 + waits);
    expect(Math.max(...tries.values())).toBeLessThanOrEqual(10);
    expect(waits).toBeGreaterThan(300);
    expect(Math.max(...clock.waits)).toBeLessThanOrEqual(20_000);
  });
});
