/** The additions to the page's own world before its first script. Injected by their source. */
export interface PageWorldOptions {
  /** Prefix of the events between the two worlds; a page can't guess it. */
  secret: string;
}

/** In place of contextBridge's proxies in Electron: functions whose arguments and results are cloned across. */
export function pageWorld({ secret }: PageWorldOptions): void {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;
  const detailOf = (event: Event): Record<string, never> =>
    (event as CustomEvent<Record<string, never>>).detail;

  const proxy =
    (key: string, name: string) =>
    (...args: unknown[]): Promise<unknown> =>
      new Promise((resolve, reject) => {
        const id = calls++;
        waiting.set(id, { resolve, reject });
        window.dispatchEvent(
          new CustomEvent(`${secret}:call`, { detail: { id, key, name, args: structuredClone(args) } }),
        );
      });

  window.addEventListener(`${secret}:expose`, (event) => {
    const { key, functions, values } = detailOf(event) as unknown as {
      key: string;
      functions: string[];
      values: Record<string, unknown>;
    };
    if (key in window) return;
    const api = { ...values, ...Object.fromEntries(functions.map((name) => [name, proxy(key, name)])) };
    Object.defineProperty(window, key, { value: Object.freeze(api), enumerable: true });
  });
  window.addEventListener(`${secret}:result`, (event) => {
    const { id, ok, value } = detailOf(event) as unknown as { id: number; ok: boolean; value: unknown };
    const call = waiting.get(id);
    waiting.delete(id);
    if (ok) call?.resolve(value);
    else call?.reject(new Error(String(value)));
  });
  // In either order of setup, both worlds are connected after this.
  window.dispatchEvent(new CustomEvent(`${secret}:hello`));
}
