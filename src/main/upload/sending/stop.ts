import { AppError } from '../../../shared/errors/errors.ts';
import { appErrorFrom } from '../../files/file-errors.ts';
import type { Clock } from '../../http/retry.ts';

/** How long a cancelled upload waits for the answers of what it has sent, in milliseconds. */
const graceMs = 5000;

/** How a sending is stopped: by a cancel, a failure or too many rejected rows; answers of what is under way still count. */
export class Stop {
  readonly #stop = new AbortController();
  readonly #giveUpController = new AbortController();
  readonly #endController = new AbortController();
  readonly #cancel: AbortSignal;
  readonly #clock: Clock;
  /** The first failure. A cancel is only the consequence of another failure when there is one. */
  failure: AppError | null = null;

  /** @param cancel of the job */
  constructor(cancel: AbortSignal, clock: Clock) {
    this.#cancel = cancel;
    this.#clock = clock;
    cancel.addEventListener('abort', this.#onCancel, { once: true });
    if (cancel.aborted) this.#onCancel();
  }

  /** Aborted when nothing new is to be sent. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Aborted when even the answers of what was sent are no longer awaited. */
  get giveUpSignal(): AbortSignal {
    return this.#giveUpController.signal;
  }

  /** Stops without a failure. */
  stop(): void {
    this.#stop.abort();
  }

  readonly fail = (cause: unknown): void => {
    const error = appErrorFrom(cause);
    if (!this.failure || (this.failure.is('cancelled') && !error.is('cancelled'))) this.failure = error;
    this.#stop.abort();
  };

  /** To be called when nothing is under way any more. */
  end(): void {
    this.#endController.abort();
    this.#cancel.removeEventListener('abort', this.#onCancel);
  }

  readonly #onCancel = (): void => {
    this.fail(new AppError('cancelled', {}));
    void this.#clock.wait(graceMs, this.#endController.signal).then(
      () => this.#giveUpController.abort(),
      () => undefined,
    );
  };
}
