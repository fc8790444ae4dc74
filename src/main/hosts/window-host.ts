import { setTimeout as sleep } from 'node:timers/promises';
import { RPCHandler } from '@orpc/server/message-port';
import { type AppError, toAppError } from '../../shared/errors/errors.ts';
import type { App, AppRouter } from '../app.ts';
import { errorInterceptors } from '../call-errors.ts';
import { LimitedPort, type CallLimits } from './limited-port.ts';

/**
 * Headers of every response of the page, in every host: nothing from other origins, no framing, no sniffing.
 * Monaco and AG Grid set inline styles and use data: images and fonts; scripts come only from the
 * application.
 * @param carriers addresses beside its own that the page may connect to
 */
export function policyHeaders(carriers: readonly string[] = []): Record<string, string> {
  const policy = [
    "default-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    ["connect-src 'self'", ...carriers].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return {
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

/** The longest that quitting waits for jobs to stop in order, in milliseconds. They survive it as they survive a kill. */
const maxQuitMs = 10_000;

/** Resolves when quitting has waited long enough; doesn't keep the process running. */
export const quitTimeout = (): Promise<void> => sleep(maxQuitMs, undefined, { ref: false });

/** Writes an internal error to the log, and prints its message without what is private. */
export const reportFaults =
  (log: App['log'], print: (sentence: string) => void) =>
  (cause: unknown): void => {
    log.fault(cause);
    print(log.clean(toAppError(cause).message));
  };

/**
 * Serves calls, cancels, and streams of windows over their connections.
 * @returns serves one connection; what the window sends goes to the port
 */
export function createCallServer(
  router: AppRouter,
  onFault: (error: AppError) => void,
  limits?: CallLimits,
): (carrier: ConstructorParameters<typeof LimitedPort>[0], window?: number) => LimitedPort {
  const handler = new RPCHandler(router, errorInterceptors(onFault));
  return (carrier, window) => {
    const port = new LimitedPort(carrier, limits);
    handler.upgrade(port, { context: window === undefined ? {} : { window } });
    return port;
  };
}
