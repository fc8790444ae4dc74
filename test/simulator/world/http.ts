import type { Dispatcher } from 'undici';
import { Link } from './link.ts';
import { Process } from './machine.ts';

// Takes the place of `src/main/world/http.ts`.

/** Sends requests over the link of the world. */
export class Agent {
  readonly #controllers = new Set<AbortController>();

  dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const process = Process.caller();
    if (process.isDead) return true;
    Link.of(process.computer.world).send(process, request, handler, this.#controllers);
    return true;
  }

  async destroy(): Promise<void> {
    for (const controller of this.#controllers) controller.abort();
  }
}
