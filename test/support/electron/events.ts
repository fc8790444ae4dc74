/** An event that a listener can prevent, with Electron's other properties of it. */
export function preventable<T extends object>(
  details: T,
): T & { preventDefault(): void; defaultPrevented: boolean } {
  const event = {
    ...details,
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
  };
  return event;
}

/** For calls whose outcome doesn't matter: the page may have closed meanwhile. */
export const ignore = (promise: Promise<unknown>): void => void promise.catch(() => undefined);
