import { onAbort } from '../../../../shared/abort.ts';
import { AppError } from '../../../../shared/errors/errors.ts';
import { appErrorFrom } from '../../../core/files/file-errors.ts';
import type { Clock } from '../../../core/wire/http/retry.ts';

/** How long a canceled upload waits for responses to sent requests, in milliseconds. */
const graceMs = 5000;

/** How sending stops: by a cancel, an error, or too many rejected rows; pending responses still count. */
export class Stop {
  readonly #stop = new AbortController();
  readonly #giveUpController = new AbortController();
  readonly #endController = new AbortController();
  readonly #endCancel: () => void;
  readonly #clock: Clock;
  /** The first error. A cancel after another error is only its consequence. */
  failure: AppError | null = null;

  /** @param cancel of the job */
  constructor(cancel: AbortSignal, clock: Clock) {
    this.#clock = clock;
    this.#endCancel = onAbort(cancel, this.#onCancel);
  }

  /** Aborted when nothing new is to be sent. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Aborted when the upload stops waiting even for responses to sent requests. */
  get giveUpSignal(): AbortSignal {
    return this.#giveUpController.signal;
  }

  /** Stops without an error. */
  stop(): void {
    this.#stop.abort();
  }

  readonly fail = (cause: unknown): void => {
    const error = appErrorFrom(cause);
    if (!this.failure || (this.failure.is('cancelled') && !error.is('cancelled'))) this.failure = error;
    this.#stop.abort();
  };

  /** Call when no request is in flight. */
  end(): void {
    this.#endController.abort();
    this.#endCancel();
  }

  readonly #onCancel = (): void => {
    this.fail(new AppError('cancelled', {}));
    void this.#clock.wait(graceMs, this.#endController.signal).then(
      () => this.#giveUpController.abort(),
      () => undefined,
    );
  };
}
