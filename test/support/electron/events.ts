/** An event that a listener can prevent, with what else Electron tells in it. */
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

/** For calls whose outcome nobody can use: the page may have gone meanwhile. */
export const ignore = (promise: Promise<unknown>): void => void promise.catch(() => undefined);
